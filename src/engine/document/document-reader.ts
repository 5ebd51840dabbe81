import type { Ports } from '../../contracts/ports.ts'
import type { ConverterPool } from './converter-pool.ts'
import { convert } from './convert.ts'
import type { Converted } from './converter.ts'
import { isTextKind } from './media-types.ts'
import type {
  DocumentKind,
  DocumentRequest,
  PageContent,
  PagePart,
  PdfOptions,
  PdfPage,
  ReadDocument,
} from '../../contracts/page-content.ts'
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fail } from '../../kernel/error.ts'
import type { Files } from '../../contracts/fetch.ts'

/** True for kinds that are cheap to convert: texts, and images without OCR, of which only the header is read. */
const isLight = (kind: DocumentKind) => isTextKind(kind) || kind === 'image'
/**
 * Maximum size in bytes of light kinds converted in this process, which takes a few milliseconds; starting a process
 * takes a hundred.
 */
const maxBytesInProcess = 200_000

/**
 * Reads files that are not HTML: small texts and pictures without OCR in this process, others in a child process. The
 * resulting HTML is read like any page.
 */
export function createDocumentReader(
  ports: Pick<Ports, 'readHtml'>,
  children: () => Promise<ConverterPool>,
): ReadDocument {
  return async (request, signal) => {
    const { kind, bytes, url, contentType, pdf, hasImageParser, teamId, isGivenUp } = request
    const source = { bytes, url, contentType, pdf, hasImageParser, isGivenUp }
    const isInProcess = isLight(kind) && bytes.byteLength <= maxBytesInProcess && !(kind === 'image' && hasImageParser)
    const converted = isInProcess
      ? await convert(kind, source)
      : await (await children()).convert({ teamId, kind, source }, signal)
    signal.throwIfAborted()
    return { ...(await partsOf(ports, request, converted, signal)), kind, ...countOf(converted) }
  }
}

const countOf = ({ numPages, warning }: Converted) => ({
  ...(numPages !== undefined && { numPages }),
  ...(warning !== undefined && { warning }),
})

async function partsOf(
  { readHtml }: Pick<Ports, 'readHtml'>,
  request: DocumentRequest,
  converted: Converted,
  signal: AbortSignal,
): Promise<PageContent> {
  const { kind: _, bytes: _bytes, contentType: _type, hasImageParser: _image, pdf, ...rest } = request
  const { metadata = {} } = converted
  if ('markdown' in converted) return { ...textParts(converted, rest.wanted), metadata }
  // A file is content throughout: there is no navigation to drop, and a browser would add nothing.
  const read = (html: string, wanted: readonly PagePart[]) =>
    readHtml({ ...rest, html, wanted, onlyMainContent: false }, signal)
  const { needsBrowser: _empty, ...parts } = await read(converted.html, rest.wanted)
  const pages: PdfPage[] = []
  for (const { number, html } of converted.pages ?? [])
    pages.push({ pageNumber: number, markdown: (await read(html, ['markdown'])).markdown ?? '' })
  return {
    ...parts,
    ...(parts.metadata && { metadata: { ...parts.metadata, ...metadata } }),
    ...(converted.pages && pagedParts(pdf, pages, rest.wanted)),
  }
}

/** Returns the pages of a PDF if requested; with page markers, they also form the markdown of the document. */
function pagedParts({ pages, pageMarkers }: PdfOptions, read: PdfPage[], wanted: readonly PagePart[]): PageContent {
  const marked = read.map(({ pageNumber, markdown }, index) =>
    index === 0 ? markdown : `---\n\n<!-- page ${pageNumber} -->\n\n${markdown}`,
  )
  return {
    ...(pages && { pages: read }),
    ...(pageMarkers && wanted.includes('markdown') && { markdown: marked.join('\n\n') }),
  }
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** HTML of a long text doubles the memory, so it is created only on request. */
const textParts = (
  { markdown, links }: Extract<Converted, { markdown: string }>,
  wanted: readonly PagePart[],
): PageContent => ({
  markdown,
  ...(wanted.includes('html') && {
    html: `<pre>${markdown.replace(/[&<>]/g, (character) => escapes[character] ?? character)}</pre>`,
  }),
  links: [...new Set(links?.anchors.map(({ url }) => url))],
  anchors: links?.anchors ?? [],
  images: [...new Set(links?.images)],
  attributes: [],
})

/**
 * Reads files below the allowed folders. Symbolic links are resolved before the check, so none leads outside; a path
 * outside is refused in the same way whether or not the file exists.
 */
export function createLocalFiles(folders: readonly string[], maxBytes: number): Files {
  return {
    async read(path) {
      const file = await realPathOf(resolve(path))
      const allowed = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)))
      if (!allowed.some((folder) => folder !== undefined && isBelow(file, folder))) fail('FILE_NOT_ALLOWED')
      return { filename: basename(path), bytes: await bytesOf(file, maxBytes) }
    },
  }
}

/** Returns the real path; of a path that does not exist, only the existing folders are resolved. */
async function realPathOf(path: string): Promise<string> {
  const folder = dirname(path)
  return realpath(path).catch(async () => (folder === path ? path : join(await realPathOf(folder), basename(path))))
}

function isBelow(path: string, folder: string): boolean {
  const inside = relative(folder, path)
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}

/**
 * Refuses symbolic links, because a link in a resolved path was swapped in after the check. Does not block on a pipe
 * that has no writer.
 */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Reads no more than the size of the open file, even if the file grows. Refuses pipes and devices, which have no end.
 */
async function bytesOf(file: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  await using handle = await open(file, flags).catch((cause: unknown) => fail('FILE_NOT_FOUND', { cause }))
  const facts = await handle.stat()
  if (!facts.isFile()) fail('FILE_NOT_FOUND', { message: 'The path does not lead to a file.' })
  if (facts.size > maxBytes)
    fail('PAYLOAD_TOO_LARGE', {
      message: `The file is larger than ${maxBytes} bytes.`,
      hint: 'Send a smaller file.',
    })
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(facts.size))
  return buffer.subarray(0, bytesRead)
}
