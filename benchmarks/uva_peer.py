"""Run simglucose's own patient on meals read from standard input; JSON in, JSON out.

It runs inside an environment that holds simglucose and imports nothing of ours::

    python -m venv peer && peer/bin/pip install 'setuptools<81' simglucose==0.2.11
    peer/bin/python benchmarks/uva_peer.py < runs.json > traces.json

In: a list of ``{"name", "true_carb_g", "bolus_u", "state"}``; ``state`` holds the 13 start
values, or null for the patient's own. Out: for each a list of plasma and of subcutaneous
glucose every five minutes over six hours, mg/dL, and the CPU seconds it took.
"""

import json
import sys
import time

import numpy as np
import pandas as pd
from simglucose.patient.t1dpatient import PATIENT_PARA_FILE, Action, T1DPatient


def run(name, true_carb_g, bolus_u, state=None):
    """Announce the meal and inject the bolus in minute 0, basal insulin throughout."""
    begin = time.process_time()
    start = None if state is None else np.array(state, dtype=float)
    table = pd.read_csv(PATIENT_PARA_FILE)
    params = table.loc[table.Name == name].squeeze()
    patient = T1DPatient(params, init_state=start)
    basal = float(params.u2ss) * float(params.BW) / 6000
    plasma, skin = [], []
    for minute in range(361):
        if minute % 5 == 0:
            plasma.append(float(patient.state[3] / params.Vg))
            skin.append(float(patient.observation.Gsub))
        first = minute == 0
        carb = true_carb_g if first else 0
        patient.step(Action(CHO=carb, insulin=basal + (bolus_u if first else 0)))
    return {
        "plasma_mg_dl": plasma,
        "subcutaneous_mg_dl": skin,
        "cpu_s": time.process_time() - begin,
    }


if __name__ == "__main__":
    json.dump([run(**each) for each in json.load(sys.stdin)], sys.stdout)
