/** Token bucket (Turner 1986): so many at once, and so many more each second. */
export function createBudget(
  { atOnce, perSecond }: { atOnce: number; perSecond: number },
  now = () => performance.now(),
) {
  let left = atOnce
  let at = now()
  /** False when it is spent. */
  return (cost: number): boolean => {
    const time = now()
    left = Math.min(atOnce, left + ((time - at) / 1000) * perSecond) - cost
    at = time
    return left >= 0
  }
}
