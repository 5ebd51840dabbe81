/** Where the sitemaps of a site may lie: those robots.txt names, then beside the start, then at the root. Each once. */
export function sitemapPlaces(startUrl: string, robotsSitemaps: readonly string[]): string[] {
  const start = URL.parse(startUrl)
  const guesses = start ? [`${folderOf(start.pathname)}sitemap.xml`, '/sitemap.xml', '/sitemap_index.xml'] : []
  const places = [...robotsSitemaps, ...guesses.map((path) => `${start?.origin}${path}`)]
  return [...new Set(places.flatMap((place) => URL.parse(place)?.href ?? []))]
}

/** With its slash at the end; a last segment without a file extension is a folder. */
function folderOf(path: string): string {
  const slash = path.lastIndexOf('/') + 1
  const last = path.slice(slash)
  return last === '' || /\.[a-z\d]{1,10}$/i.test(last) ? path.slice(0, slash) : `${path}/`
}
