/**
 * Whether a team may take one more of `total` places, for which nobody waits. It may as long as it holds fewer than are
 * free: the first team gets half of them at most, the next half of the rest, and so there is always a share left for others.
 */
export function leavesShare(teamId: string, holders: readonly string[], total: number): boolean {
  const held = holders.filter((holder) => holder === teamId).length
  return held < total - holders.length
}
