"""The attacks by name, and why some are not played on some boards."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import leaderboard_edu as le
from boards import (
    ALL,
    CLOSE,
    EVERY,
    LADDERS,
    NAME,
    NOISE,
    RANKS,
    TENTHS,
    File,
)
from knows_half import (
    half_known,
    in_turn_known,
    lucky,
    marks_known,
    partners_known,
    stairs,
    stairs_by_rank,
    tested,
    yardsticks_known,
)
from knows_nothing import (
    GROUPS,
    alone,
    blocks,
    borders,
    design_attack,
    few,
    in_front,
    in_turn,
    luck,
    marks,
    messages,
    votes,
    yardsticks,
)

PARTNERS = 12
FEW = (2, 10, 50)  # accounts
PAIRS = (2, 5)  # accounts of the rank attack
FEW_RANKED = (2, 3)  # the same, if Eve knows half
ON_PLACES = {  # stairs for three places, which count files and no accounts
    "stairs, three places": ALL,
    "stairs, three places, 1,000 files": NAME,
}
RANK_ATTACK = "rank attack"
BY_RANK = " by rank"  # ends the name of an attack that is led by ranks
WIDE_FIELD = "stairs by rank, wide field"
HALF_KNOWN = "half known"  # ends the name of an attack on the rest


@dataclass(frozen=True)
class Attack:
    """How an attack is played: files, accounts, and by what it is led.

    `needs` says what the board must show: "losses" of every fresh account,
    "ranks", "a loss" for one account that is alone, or "gains", which are
    losses or ranks that can be compared.
    """

    play: Callable[..., File]
    files: int
    needs: str
    informed: float | None = None  # the loss of the classifier it has

    @property
    def many(self) -> bool:
        """Whether it needs more than one account."""
        return self.needs in ("losses", "ranks")


def lonely(attack: Any, needs: str = "gains", **options: Any) -> Attack:
    """Return an attack of the library, as one account plays it."""
    return Attack(alone(attack, **options), NAME, needs)


def voting(keep: str, needs: str) -> Attack:
    """Return the boosting attack with one of its rules."""
    return lonely(le.boosting_attack, needs, k=NAME, keep=keep)


KNOWING: dict[str, tuple[Any, int, str]] = {
    "one by one": (in_turn_known, NAME, "a loss"),
    "in turn": (in_turn_known, ALL, "losses"),
    "partners": (partners_known, NAME, "gains"),
    "partners in turn": (partners_known, ALL, "losses"),
    "marks": (marks_known, ALL, "losses"),
    f"marks, {FEW[1]} accounts": (
        partial(marks_known, accounts=FEW[1]),
        ALL,
        "losses",
    ),
    "yardsticks": (yardsticks_known, ALL, "ranks"),
}  # attacks for an Eve who knows half of the labels


def shared(
    name: str, attack: Any, needs: str, many: tuple[int, ...], **known: Any
) -> dict[str, Attack]:
    """Return an attack by as many accounts, which share their files."""
    return {
        f"{name}, {accounts} accounts": Attack(
            partial(attack, accounts=accounts),
            min(ALL, accounts * NAME),
            needs,
            **known,
        )
        for accounts in many
    }


ATTACKS = {
    "luck": Attack(luck, NAME, "gains"),
    "votes, aligned": voting("aligned", "a loss"),
    "votes, half": voting("half", "a loss"),
    "votes, improved": voting("improved", "gains"),
    "swaps": lonely(le.swap_attack, k=NAME),
    "partners": lonely(le.partner_attack, partners=PARTNERS),
    "enumeration": lonely(le.enumeration_attack, k=NAME),
    **{
        f"groups of {size}": lonely(
            le.enumeration_attack, k=NAME, size=size
        )
        for size in GROUPS
    },
    "blocks": lonely(le.block_attack, "a loss", k=NAME),
    **shared("groups", few, "losses", FEW),
    "marks": Attack(marks, ALL, "losses"),
    "votes, fresh accounts": Attack(votes, ALL, "losses"),
    "messages": Attack(messages, ALL, "losses"),
    "yardsticks": Attack(yardsticks, ALL, "ranks"),
    "borders": Attack(borders, ALL, "losses", informed=NOISE),
    "luck near a border": Attack(lucky, NAME, "gains", informed=CLOSE),
    "stairs": Attack(stairs, NAME, "gains", informed=CLOSE),
    **{
        name: Attack(stairs, files, "losses", informed=CLOSE)
        for name, files in ON_PLACES.items()
    },
    "in turn": Attack(in_turn, ALL, "losses"),
    **shared("stairs", stairs, "losses", FEW, informed=CLOSE),
    "stairs by rank": Attack(stairs_by_rank, NAME, "gains", informed=CLOSE),
    **shared(
        "stairs by rank", stairs_by_rank, "ranks", FEW, informed=CLOSE
    ),
    **shared("groups by rank", few, "ranks", FEW),
    WIDE_FIELD: Attack(
        partial(stairs_by_rank, last=1 - CLOSE),
        NAME,
        "gains",
        informed=CLOSE,
    ),
    **shared(RANK_ATTACK, in_front, "ranks", PAIRS),
    **{
        f"blocks, {accounts} accounts": Attack(
            blocks, accounts * NAME, "losses"
        )
        for accounts in (2, 3)
    },
    **{
        f"{name}, {HALF_KNOWN}": Attack(
            half_known(attack), NAME, "a loss", informed=CLOSE
        )
        for name, attack in (
            ("blocks", le.block_attack),
            ("votes", le.boosting_attack),
            ("swaps", le.swap_attack),
            ("design", design_attack),
        )
    },
    "design": lonely(design_attack, "a loss", k=NAME),
    **{
        f"{name}, {HALF_KNOWN}": Attack(play, files, needs, informed=CLOSE)
        for name, (play, files, needs) in KNOWING.items()
    },
    **{
        f"{RANK_ATTACK}, {accounts} accounts, {HALF_KNOWN}": Attack(
            partial(in_front, accounts=accounts),
            accounts * NAME,
            "ranks",
            informed=CLOSE,
        )
        for accounts in FEW_RANKED
    },
    **shared(
        WIDE_FIELD,
        partial(stairs_by_rank, last=1 - CLOSE),
        "ranks",
        FEW,
        informed=CLOSE,
    ),
    f"tests, {HALF_KNOWN}": Attack(tested, NAME, "gains", informed=CLOSE),
}
UNRANKED = "not tried: losses say more than ranks"
UNSEEN = "cannot work: most files are shown nothing"
NO_LOSS = "cannot work: no loss is shown"
READ = "not tried: other attacks read every label"
YARDS = "not tried: yardsticks are its form for ranks"
NO_DIGITS = "not tried: made for the last digits of losses"
ROUNDED = "not tried: yardsticks are its form for rounded losses"
RANKED = "not tried: its form for ranks is played instead"
SAME_FILES = "not tried: messages make more of the same files"
ALONE = "cannot work: a fresh account begins anew"
NO_STEPS = "not tried: made for borders that a move uses up"
COUNTED = "not tried: accounts do not count; see stairs, three places"
REMEMBERS = "cannot work: an account is told of improvements only"
NO_TENTHS = "not tried: made for the few borders of tenths"
FITTED = "not tried: others are made for what this board shows"
FEW_FILES = "not tried: with few files it is told in the chapter"
WIDE = "not tried: there to compare ranks with Ladders in hundredths"


FREE = ("parameter-free Ladder",)
FITS_BOARDS = {  # where an attack is played by an Eve who knows half
    "blocks": ("exact losses",),
    "design": ("exact losses",),
    "votes": EVERY,
    "one by one": ("losses in 1/100",),
    "in turn": ("losses in 1/100",),
    "swaps": FREE,
    "partners": FREE,
    "partners in turn": FREE,
    "tests": FREE,
    "marks": (*LADDERS, "simplified Ladder, 1/10"),
    "yardsticks": ("ranks in 1/100",),
    RANK_ATTACK: ("exact ranks",),
}


def by_rank(attack: str) -> str:
    """Return the name of the form that an attack has for ranks, if any."""
    first, comma, rest = attack.partition(",")
    return f"{first}{BY_RANK}{comma}{rest}"


def why_not(board: str, attack: str) -> str:
    """Say why an attack was not played on a board, or return nothing."""
    if attack.endswith(HALF_KNOWN):
        first, _, _ = attack.partition(",")
        if board in FITS_BOARDS[first]:
            return ""
        if first == "tests" and board in LADDERS:
            return FEW_FILES
        blind = ATTACKS[attack].needs in ("a loss", "losses")
        return NO_LOSS if blind and board in RANKS else FITTED
    if board in RANKS:
        return why_no_rank(board, attack)
    if BY_RANK in attack or ATTACKS[attack].needs == "ranks":
        return UNRANKED
    if attack == "luck near a border":
        return "" if board in TENTHS else NO_TENTHS
    if attack in ON_PLACES:
        return "" if board == "three places, 1/10" else ALONE
    if attack == "in turn":
        return "" if board in EVERY else REMEMBERS
    if attack.startswith(("blocks, ", "design")):
        return "" if board == "exact losses" else NO_DIGITS
    if attack.startswith("stairs"):
        crowd = ATTACKS[attack].many and board == "three places, 1/10"
        if crowd or board in (*LADDERS, *TENTHS):
            return COUNTED if crowd else ""
        return NO_STEPS
    blind = board == "three places, 1/10"
    if attack == "marks" and board not in LADDERS:
        told = FITTED if board in TENTHS else READ
        return UNSEEN if blind else told
    return UNSEEN if attack == "messages" and blind else ""


def why_no_rank(board: str, attack: str) -> str:
    """Say why an attack was not played on ranks, or return nothing."""
    if by_rank(attack) in ATTACKS:
        return RANKED
    if attack in ("in turn", "borders", "marks"):
        return YARDS
    if attack.startswith(WIDE_FIELD):
        return "" if board == "ranks in 1/100" else WIDE
    if attack.startswith(RANK_ATTACK):
        return "" if board == "exact ranks" else ROUNDED
    if attack == "votes, fresh accounts":
        return SAME_FILES
    if attack.startswith("blocks, "):
        return NO_LOSS
    if attack == "luck near a border":
        return NO_TENTHS
    if attack in ON_PLACES:
        return ALONE
    needs = ATTACKS[attack].needs
    told = BY_RANK in attack or needs in ("gains", "ranks")
    return "" if told or attack == "messages" else NO_LOSS
