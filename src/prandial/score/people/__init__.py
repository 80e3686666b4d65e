"""People as raters: who is nearest, where they disagree, Table 10, time, people against a model.

After NutriBench (arXiv 2407.12843), section 6 and appendix L: 72 meals, three nutritionists,
with and without looking up. Pure functions of :class:`Rated`; a model's run is one too.
"""

from prandial.score.people.disagreement import Disagreement, Figures, disagreement
from prandial.score.people.nearest import Sweeps, Wins, sweeps, win_counts
from prandial.score.people.pairs import PairedRow, paired_rows
from prandial.score.people.rated import Rated, common_meals, consensus_of, with_ids_of
from prandial.score.people.serving import PeopleRow, PublishedRow, published_rows, serving_rows
from prandial.score.people.time import TimeRow, time_rows

__all__ = [
    "Disagreement",
    "Figures",
    "PairedRow",
    "PeopleRow",
    "PublishedRow",
    "Rated",
    "Sweeps",
    "TimeRow",
    "Wins",
    "common_meals",
    "consensus_of",
    "disagreement",
    "paired_rows",
    "published_rows",
    "serving_rows",
    "sweeps",
    "time_rows",
    "win_counts",
    "with_ids_of",
]
