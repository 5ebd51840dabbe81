export type Target = { what: string; limit: number; measured: number; unit: string }

const isMet = ({ measured, limit }: Target) => measured <= limit

/** Returns one line per target, with the measured figure. */
export function describeTargets(targets: readonly Target[]): string {
  return targets.map((target) => `${isMet(target) ? 'met ' : 'MISS'}  ${described(target)}`).join('\n')
}

/** With `--check` a missed target fails the run. */
export const exitCode = (targets: readonly Target[], check: boolean): number => (check && !targets.every(isMet) ? 1 : 0)

const described = ({ what, limit, measured, unit }: Target) =>
  `${what}: ${measured.toFixed(unit === '×' ? 2 : 1)} ${unit} (target at most ${limit} ${unit})`
