/** Some statements are made for one call, such as those that insert many rows: they must not be remembered for ever. */
const maxKnown = 1000
const known = new Map<string, string>()

/**
 * A statement as PostgreSQL takes it: `?` becomes `$1`, `$2` …, and `CROSS JOIN … ON`, by which SQLite is told the order of a
 * join, an ordinary join, whose order PostgreSQL chooses. All else is written so that both take it (`schema.ts`).
 */
export function toPostgres(sql: string): string {
  const translated = known.get(sql)
  if (translated !== undefined) return translated
  let place = 0
  const made = sql
    .replaceAll(/'[^']*'|\?/g, (found) => (found === '?' ? `$${++place}` : found))
    .replaceAll(/\bCROSS JOIN (\S+(?: AS \w+)?\s+ON)\b/g, 'JOIN $1')
  if (known.size < maxKnown) known.set(sql, made)
  return made
}
