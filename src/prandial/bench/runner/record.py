"""The record of a run: data, prompts, model, versions, commit, and a name made of them."""

from __future__ import annotations

import hashlib
import json
import platform
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from prandial.answer.encoder import encoder_id
from prandial.answer.methods import FactRetriever, Kit, Method
from prandial.bench.answerers import training_of
from prandial.bench.kits import GRAPH
from prandial.bench.questions import Asked
from prandial.bench.runner.settings import BenchSettings, public_args
from prandial.records.bench import RunRecord
from prandial.tables import DEFAULT_RELEASE

__all__ = ["commit_of", "make_record", "run_name", "told_options"]

#: packages whose version may change an answer or a figure
LOCAL_MODEL: Final = "prandial/local"
_PACKAGES: Final = ("inspect-ai", "openai", "xllamacpp", "onnxruntime", "numpy")


def make_record(
    settings: BenchSettings,
    asked: Asked,
    method: Method,
    kit: Kit,
    *,
    prandial_version: str,
    started: datetime | None = None,
) -> RunRecord:
    """Make the record of a run that begins.

    Parameters
    ----------
    settings : BenchSettings
    asked : Asked
    method : Method
    kit : Kit
    prandial_version : str
    started : datetime, optional
        Now when None.
    """
    chosen = {
        **asked.settings,
        "options": told_options(kit),
        "retriever": kit.retriever.id
        if isinstance(kit.retriever, FactRetriever)
        else settings.retriever,
        "textualizer": settings.textualizer,
        "encoder": encoder_id(kit.embed) if kit.embed else "",
        "training": training_of(settings.model, settings.model_args) if not method.asks else "",
    }
    prompts = kit.prompts.hashes(*method.prompts)
    asks = method.asks and bool(settings.model)
    model_args = public_args(settings.model_args, sampled=asks) if settings.model else {}
    if settings.model == LOCAL_MODEL:
        model_args = {**_weights(settings.model_args), **model_args}
    versions = {"prandial": prandial_version, **_versions()}
    return RunRecord(
        run=run_name(
            benchmark=settings.benchmark,
            model=settings.model,
            method=method.name,
            settings=chosen,
            data=asked.data["sha256"],
            prompts=prompts,
            model_args=model_args,
            prandial=prandial_version,
        ),
        benchmark=settings.benchmark,
        model=settings.model,
        method=method.name,
        settings=chosen,
        data=dict(asked.data),
        prompts=prompts,
        model_args=model_args,
        versions=versions,
        commit=commit_of(),
        started=(started or datetime.now(UTC)).isoformat(timespec="seconds"),
    )


def told_options(kit: Kit) -> dict[str, Any]:
    """Return the options of a method as the record holds them: a graph by its hash."""
    told = dict(kit.options)
    if GRAPH in told:
        told[GRAPH] = told[GRAPH].content_hash
    return told


def run_name(**decides: Any) -> str:
    """Return the hash of what decides the answers of a run."""
    text = json.dumps(decides, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def _weights(model_args: Mapping[str, Any]) -> dict[str, Any]:
    from prandial.bench.providers import local_record

    return local_record(model_args)


def _versions() -> Mapping[str, str]:
    found = {"python": platform.python_version(), "tables": DEFAULT_RELEASE}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def commit_of(folder: Path | None = None) -> str:
    """Return the commit of prandial's own checkout, ``-dirty`` when files were changed.

    Empty where prandial is installed and not a checkout.
    """
    root = Path(__file__).resolve().parents[4] if folder is None else folder
    if not (root / ".git").exists() or not (root / "src" / "prandial").is_dir():
        return ""
    commit = _git(root, "rev-parse", "HEAD")
    if not commit:
        return ""
    return commit + ("-dirty" if _git(root, "status", "--porcelain", "-uno") else "")


def _git(root: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - fixed words
            ["git", "-C", str(root), *arguments],  # noqa: S607
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
