/** What sites put between the name of a page and their own. */
const sign = /[·|•–—-]/
/** A longer ending (characters) is no name of a site. Titles are as long as pages make them, so no more of each is looked at. */
const maxEnding = 100

/** Titles without the name of the site, where most of them end with the same. */
export function withoutSiteName(titles: readonly string[]): readonly string[] {
  const endings = Map.groupBy(titles, endingOf)
  const [common] = [...endings].find(([text, all]) => text !== undefined && isMost(all.length, titles.length)) ?? []
  if (common === undefined) return titles
  return titles.map((title) => (title.endsWith(common) ? title.slice(0, -common.length) : title))
}

/** The last sign between spaces, and what follows it. */
function endingOf(title: string): string | undefined {
  const end = title.slice(-maxEnding)
  for (let at = end.length - 2; at > 0; at--)
    if (sign.test(end.charAt(at)) && isSpace(end.charAt(at - 1)) && isSpace(end.charAt(at + 1)))
      return end.slice(at - 1)
  return undefined
}

const isSpace = (character: string) => /\s/.test(character)

const isMost = (count: number, all: number) => count > 2 && count > all / 2
