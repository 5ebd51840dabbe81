import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'

/** A page whose main content is known. */
export type LabelledPage = {
  id: string
  url: string
  /** The kind of page, such as `forum`; '' if the set has no kinds. */
  type: string
  html: string
  /** The text of the main content; '' if only snippets of it are known. */
  truth: string
  /** Snippets that belong to the main content, and snippets that do not. */
  with: readonly string[]
  without: readonly string[]
}

/** Used for pages without a known address: some contestants require one. */
const standIn = 'https://example.com/'
/** Longer pages are left out: some contestants take minutes for them. */
const maxCharacters = 2_000_000

/** The pages of a file of gzipped JSON lines, one at a time and in its order: at most `perType` of each kind. */
export async function* readPages(path: string, perType: number): AsyncGenerator<LabelledPage> {
  const taken = new Map<string, number>()
  for await (const line of linesOf(path)) {
    const page = pageOf(JSON.parse(line) as Partial<LabelledPage>, path)
    const count = (taken.get(page.type) ?? 0) + 1
    if (count > perType || page.html.length > maxCharacters) continue
    taken.set(page.type, count)
    yield page
  }
}

function pageOf(row: Partial<LabelledPage>, path: string): LabelledPage {
  const { id, url, html, truth, type = '', with: wanted = [], without = [] } = row
  if (id === undefined || url === undefined || html === undefined || (truth === undefined && wanted.length === 0))
    throw new Error(`A row of ${path} lacks id, url, html, or truth and snippets`)
  const kind = truth === undefined ? halfOf(url) : type
  return { id, url: url || standIn, type: kind, html, truth: truth ?? '', with: wanted, without }
}

/** Sets with snippets only are split by site, so rules tuned on one half can be judged on the other. */
function halfOf(url: string): string {
  const site =
    /^https?:\/\/([^/:]+)/
      .exec(url)?.[1]
      ?.replace(/^www\./, '')
      .split('.')
      .slice(-2)
      .join('.') ?? url
  let hash = 0x811c9dc5
  for (const character of site) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return hash & 1 ? 'held out' : 'tuned on'
}

/** The lines of a gzipped file. JSON contains line separators (U+2028) that node:readline would treat as line ends. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(path).pipe(createGunzip()).setEncoding('utf8')) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines.filter((line) => line.trim() !== '')
  }
  if (rest.trim() !== '') yield rest
}
