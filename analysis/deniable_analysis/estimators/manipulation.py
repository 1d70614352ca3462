"""How far forged reports could move a share."""

from deniable_analysis.arguments import is_finite, is_whole, read_number, shown
from deniable_analysis.errors import InvalidChannel, InvalidCounts
from deniable_analysis.estimators.channel import Channel, check_channel

# The part of the reports that is assumed to be forged.
FORGED = 0.01


def manipulation_margin(
    channel: Channel,
    forged: float = FORGED,
    *,
    options: int = 1,
    supported: int = 1,
    share: float = 0.0,
) -> float:
    """The largest increase of a share that forged reports can cause.

    The forgers know the mechanism and send the report that supports the share
    most.

    Args:
        channel: channel of the block.
        forged: forged part of all reports, 0 to 1.
        options: number of options whose shares are summed to the share.
        supported: largest number of these that one report can support.
        share: true share of the options; the increase is largest at 0.
    Raises:
        InvalidChannel: channel is not a Channel, or forged is not within 0 to
            1.
        InvalidCounts: options, supported or share is out of range.
    Source: Cao, Jia and Gong 2021 (USENIX Security), "maximal gain attack";
        forged (supported - options q) / (p - q) - forged f.
    """
    check_channel(channel)
    if not (is_finite(forged) and 0 <= forged <= 1):
        raise InvalidChannel(
            f"got {shown(forged)} as the forged share of the reports; allowed are 0 to 1"
        )
    if not (is_whole(options, 1) and is_whole(supported, 0)):
        raise InvalidCounts(
            f"got {shown(options)} options, of which a report supports {shown(supported)}; "
            "allowed are whole numbers"
        )
    truth = float(read_number("share", share, error=InvalidCounts))
    gain = (supported - options * float(channel.flip)) / float(channel.spread)
    return forged * (gain - truth)
