/** Quantile with linear interpolation between neighbours (Hyndman and Fan, type 7). NaN when there are no samples. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  const position = (sorted.length - 1) * share
  const below = sorted[Math.floor(position)] ?? Number.NaN
  const above = sorted[Math.ceil(position)] ?? Number.NaN
  return below + (above - below) * (position % 1)
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5)

/** NaN when there are no samples. */
export const mean = (samples: readonly number[]): number =>
  samples.reduce((sum, sample) => sum + sample, 0) / samples.length
