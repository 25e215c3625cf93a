from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 4


@test_case(points=None, hidden=False)
def test_two_or_three_levels(labels_for_lead):
    for lead, value, reason in [
        (
            2,
            12446,
            "rounding two scores can cost one level, so one level is left for the two deviations",
        ),
        (
            3,
            3112,
            "the deviations may be twice as large as with a lead of two levels",
        ),
    ]:
        mine = labels_for_lead(lead, 10, 1000, 1, 0.05)
        assert mine == value, (
            f"labels_for_lead({lead}, 10, 1000, 1, 0.05) should be {value}: {reason}; you return {mine}"
        )
