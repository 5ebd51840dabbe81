/**
 * Reads a site with Gossamer as a library and prints a line for each page:
 * `node examples/read-site.mjs URL [LIMIT]`. Ctrl-C cancels the crawl.
 */
import { createGossamer, GossamerError } from 'gossamer-mcp'

const [url = 'https://example.com', limit = '20'] = process.argv.slice(2)
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())

// The library does not read environment variables.
const allowHosts = process.env.GOSSAMER_ALLOW_HOSTS?.split(',') ?? []
const gossamer = createGossamer({ dataDir: 'memory', allowHosts })
try {
  const end = await gossamer.crawlEach(
    { url, limit: Number(limit), scrapeOptions: { formats: ['markdown', 'links'] } },
    ({ markdown = '', links = [], metadata }) =>
      console.log(`${metadata.url}  ${markdown.length} characters, ${links.length} links`),
    { concurrency: 4, signal: stop.signal },
  )
  console.log(`${end.status}: ${end.completed} pages`)
} catch (error) {
  if (!(error instanceof GossamerError)) throw error
  console.error(`${error.code}: ${error.message} ${error.hint ?? ''}`)
  process.exitCode = 1
} finally {
  await gossamer.close()
}
