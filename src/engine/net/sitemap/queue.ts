/** `depth`: 0 for a file that was asked for, one more than that of the index for a file that was found in one. */
export type SitemapFile = { url: string; depth: number }

const maxDepth = 3
const maxChildren = 500

/** The files to read, first found first read, each once. */
export function createQueue(urls: readonly string[]) {
  const known = new Set<string>()
  let waiting: SitemapFile[] = []
  let childCount = 0

  function join(written: string, depth: number): void {
    const url = fileUrl(written)
    if (url === undefined || known.has(url)) return
    if (depth > 0) childCount += 1
    known.add(url)
    waiting.push({ url, depth })
  }
  // A robots.txt may name thousands.
  for (const url of urls.slice(0, maxChildren)) join(url, 0)

  return {
    take(count: number): SitemapFile[] {
      const taken = waiting.slice(0, Math.max(count, 0))
      waiting = waiting.slice(taken.length)
      return taken
    },
    /** Adds the files that an index names. Answers why some were left, if some were. */
    add(found: readonly string[], parent: SitemapFile): string | undefined {
      const fresh = found.filter((url) => !known.has(fileUrl(url) ?? ''))
      if (fresh.length === 0) return undefined
      if (parent.depth === maxDepth)
        return `Sitemaps lie more than ${maxDepth} indexes deep; the deeper ones were left.`
      const room = maxChildren - childCount
      for (const url of fresh.slice(0, room)) join(url, parent.depth + 1)
      return fresh.length > room ? `The sitemaps name more than ${maxChildren} others; the rest was left.` : undefined
    },
  }
}

function fileUrl(written: string): string | undefined {
  const url = URL.parse(written)
  if (!url) return undefined
  url.hash = ''
  return url.href
}
