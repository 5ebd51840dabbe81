const unreleased = /^## \[Unreleased\][ \t\r]*$/m

type Section = { start: number; end: number; text: string }

/** Reason why this changelog cannot be released, or undefined. */
export function changelogFault(changelog: string, version: string): string | undefined {
  const section = unreleasedOf(changelog)
  if (!section) return 'CHANGELOG.md has no heading "## [Unreleased]". Add it, and below it what users will notice.'
  if (isEmpty(section.text))
    return 'CHANGELOG.md has nothing under [Unreleased]. Add what users will notice, or there is nothing to release.'
  if (changelog.split(/\r?\n/).some((line) => line.startsWith(`## [${version}]`)))
    return `CHANGELOG.md already has a section [${version}]. Move its lines to [Unreleased], or give another version.`
  return undefined
}

/** The changelog after the release of `version`, and its entry. Text above and below [Unreleased] is unchanged. */
export function nextChangelog(changelog: string, version: string, date: string): { changelog: string; entry: string } {
  const section = unreleasedOf(changelog)
  if (!section) throw new Error('CHANGELOG.md has no heading "## [Unreleased]".')
  const entry = `## [${version}] - ${date}\n\n${section.text.trim()}\n`
  const [above, below] = [changelog.slice(0, section.start), changelog.slice(section.end)]
  return { changelog: `${above}\n\n${entry}${below === '' ? '' : `\n${below}`}`, entry }
}

/** Text below the heading, up to the next version. */
function unreleasedOf(changelog: string): Section | undefined {
  const heading = unreleased.exec(changelog)
  if (!heading) return undefined
  const start = heading.index + heading[0].trimEnd().length
  const next = /^## /m.exec(changelog.slice(start))
  const end = next ? start + next.index : changelog.length
  return { start, end, text: changelog.slice(start, end) }
}

/** Headings and comments alone do not count as content. */
const isEmpty = (text: string) =>
  text
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^#+ .*$/gm, '')
    .trim() === ''
