/** Counts turns of the event loop, so a test can detect which work shares a turn. */
export function countTurns(): { now(): number; stop(): void } {
  let turn = 0
  let next = setImmediate(count)
  function count(): void {
    turn += 1
    next = setImmediate(count)
  }
  return { now: () => turn, stop: () => clearImmediate(next) }
}
