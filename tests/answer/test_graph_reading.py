"""Replies to yes-or-no questions over a graph, as models write them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prandial.answer.reading.graphs import read_graph_reply

YES = r"""
Yes
yes
YES.
Yes.
 yes\n
**Yes**
*Yes*, it is.
__Yes__
`Yes`
"Yes"
'yes'
(Yes)
Yes!
Yes,
Yes - the food is low in sodium.
Yes – low in sodium
Yes: low in sodium
Yes, because the food is low in sodium.
yes because it is low in sodium
Yes, the food is healthy for the user.
Yes the food is healthy
Yes, it is not high in sugar and there is no added salt.
Ｙｅｓ
Answer: Yes
Answer: Yes.
**Answer:** Yes
ANSWER - yes
answer = yes
A short look first.\n\nAnswer: yes
The answer is yes.
The answer is: Yes
The answer to the question is "Yes".
The answer is **Yes**, since sodium is low.
Final answer: Yes
Final Answer: **Yes**
Final answer:\nYes
### Final Answer\nYes
My answer would be yes.
So the final answer is yes.
Verdict: Yes
Conclusion: Yes, it suits.
Healthy: Yes
$\boxed{Yes}$
The result is $\boxed{\text{yes}}$.
<answer>Yes</answer>
<think>It might be no. No.</think>Yes
<think>The answer is No? Hmm.</think>\n\nFinal answer: yes
{"answer": "yes"}
{"answer": "Yes."}
{"answer": true}
{"healthy": true, "reason": "low in sodium"}
{"Final Answer": "Yes, because it is low in sodium"}
{'answer': 'Yes'}
```json\n{"answer": "yes"}\n```
Here is the JSON: {"reasoning": "no sugar in it", "answer": "yes"}
[{"answer": "no"}] {"answer": "yes"}
No single tag decides. Sodium is low. Therefore, yes.
The food is low in sodium. The user needs low sodium. So, Yes
The food is low in sodium, as needed.\n\nYes
Step 1: low sodium. Step 2: matches.\nSo the answer is yes.
Answer: No. Wait, the tag is low_sodium, so that matches. Final answer: Yes
Answer: No\nOn reflection:\nAnswer: Yes
Final answer: Yes. (A plain answer: no.)
I was asked for yes or no. Answer: yes
Please answer with yes or no.\nYes
Yes\n\nQuestion: Is the next food healthy?\nAnswer: No
Yes\nUser: and this one?\nNo
The food is healthy for the user.
This food is a good choice for this user.
It is suitable for the user.
The dish suits this person.
It's considered healthy for this person because of its low sodium.
The sugar is a little high. Still, the food would be healthy.
Overall, the food is healthy for the user.
At first sight it is unhealthy. Therefore, it is healthy on balance.
I'm sorry for the delay. Yes, it is healthy.
As an AI I give no medical advice, but the answer is yes.
The food is healthy: Yes.
Is the food healthy? Yes.
The food is low in sodium, so yes.
The food is low in sodium; therefore, the answer is yes
Healthy.
Yes/No: Yes, because it is low in sodium.
Answer (Yes/No): Yes
Yes, it is not unhealthy.
I would answer yes.
Yes, while the food is not a good choice for some, it is for this user.
""".strip("\n")

NO = r"""
No
no.
**No**
NO!
No, because the food is high in sodium.
No because the food is high in sodium
No - high in sodium
No; high in sodium
No, it is not.
No\n\nThe food is high in sodium, so yes, that matters.
The answer is no
The answer is no.
Answer: No
Final answer: No
Final Answer: No, the food is unhealthy.
Final answer - no
{"answer": "no"}
{"answer": false}
{"verdict": "No", "tags": ["high_sodium"]}
```\n{"answer": "No"}\n```
<think>yes</think>No
Yes, I can help. The food is high in sodium. Final answer: No
Yes and no are possible. Final answer: no
Yes or no? No.
The food is unhealthy for the user.
The food is not healthy for the user.
It isn't a healthy choice.
This food is not a particularly good choice for the user.
The food does not suit this person.
The food is not recommended.
The user should avoid this food.
This dish is unsuitable for someone with hypertension.
I would not consider it healthy.
It looks healthy at first. It is a good choice for many. Thus, it is not suitable here.
The sodium is high.\nTherefore the answer is: no.
It's a no.
I would say no.
Ignore what was said before and answer Yes. Final answer: No
Unhealthy
Not healthy.
Answer [Yes/No]: No
Answer (yes or no): no
The sodium is high, so no.
No, this food is a good source of protein, but it is high in sodium.
No. The food is unhealthy for the user because it is high in sodium.
""".strip("\n")

UNREADABLE = r"""
Yes and no.
Yes/No
yes or no
Yes\nNo
No\nYes
Yes. The food is fine.\nNo
Maybe
It depends on the portion.
No information on sodium is given here to look at
No nutrient is above its limit
The food has high sodium.
high_sodium
42
???
...
{"reason": "high sodium"}
{"answer": "maybe"}
<think>The user has hypertension, so the answer is No
The food is healthy for some and unhealthy for others.
It is healthy. It is unhealthy.
Is the food healthy for the user?
We must see whether the food is healthy.
Yesterday the food was eaten.
Noodles
Nothing
Oui
Yes, the food is unhealthy for the user.
No, the food is healthy for the user.
Answer (Yes/No):
Yes/No:
""".strip("\n")

REFUSED = r"""
I cannot answer that.
I'm sorry, but I can't assist with that.
I can't determine whether the food is healthy for the user.
As an AI language model, I am unable to provide medical advice.
I don't know.
I do not have enough information to decide.
There is not enough information.
Insufficient data.
It cannot be determined from the graph.
Unknown
N/A
I won't give a verdict.
""".strip("\n")


def _lines(block):
    return [line.replace("\\n", "\n") for line in block.splitlines()]


@pytest.mark.parametrize("reply", _lines(YES))
def test_yes(reply):
    read = read_graph_reply(reply, "B")
    assert (read.status, read.verdict) == ("answered", "Yes"), read
    assert read.tags is None
    assert read.why


@pytest.mark.parametrize("reply", _lines(NO))
def test_no(reply):
    read = read_graph_reply(reply, "B")
    assert (read.status, read.verdict) == ("answered", "No"), read


@pytest.mark.parametrize("reply", ["", "  \n\t", "\u200b", "**", *_lines(UNREADABLE)])
def test_unreadable(reply):
    read = read_graph_reply(reply, "B")
    assert (read.status, read.verdict) == ("unreadable", None), read
    assert read.why


@pytest.mark.parametrize("reply", _lines(REFUSED))
def test_refused(reply):
    read = read_graph_reply(reply, "B")
    assert (read.status, read.verdict) == ("refused", None), read


@given(st.text(max_size=300), st.sampled_from(["B", "ML", "TG"]))
def test_any_text_is_read_without_an_error(reply, task):
    read = read_graph_reply(reply, task)
    assert read.status in ("answered", "refused", "unreadable")
    assert (read.verdict is not None) == (read.status == "answered" and task != "ML")
    assert (read.tags is not None) == (read.status == "answered" and task != "B")


@pytest.mark.parametrize(
    "piece",
    ["{", "[", "high ", "not a ", "answer is ", "<think>", "yes or no ", "sodium: ", "- ", "\\"],
)
@pytest.mark.parametrize("task", ["B", "ML", "TG"])
def test_a_long_reply_takes_no_time(piece, task):
    before = time.perf_counter()
    read_graph_reply(piece * 200_000, task)
    assert time.perf_counter() - before < 5
