import { dirname, join } from 'node:path'
import type { Document } from '../../schema/scrape/document.ts'
import { makeFolder } from '../../engine/store/make-folder.ts'
import { folded, pathOf, withMark } from './file-path.ts'
import { writeWhole } from './whole-file.ts'

export type MarkdownFiles = {
  /** Writes the file of a document and answers its path in the folder, with slashes. The same document gets the same file again. */
  write(document: Document): Promise<string>
  /** Tells of a file that an earlier run has written. */
  taken(path: string, scrapeId: string): void
}

export function createMarkdownFiles(folder: string, now: () => number): MarkdownFiles {
  const owners = new Map<string, string>()
  const place = ({ url, scrapeId }: Document['metadata']) => {
    const wanted = pathOf(url)
    const free = [wanted, withMark(wanted, url)].find((path) => {
      const owner = owners.get(folded(path))
      return owner === undefined || owner === scrapeId
    })
    const path = free ?? withMark(wanted, scrapeId)
    owners.set(folded(path), scrapeId)
    return path
  }
  return {
    write: async (document) => {
      const path = place(document.metadata)
      const file = join(folder, ...path.split('/'))
      await makeFolder(dirname(file))
      await writeWhole(file, markdownFile(document, now()))
      return path
    },
    taken: (path, scrapeId) => void owners.set(folded(path), scrapeId),
  }
}

type Metadata = Document['metadata']

/** The markdown of a page behind what is known of it, as YAML. `now` counts where the page does not say when it was fetched. */
export function markdownFile(document: Document, now: number): string {
  const facts = Object.entries(factsOf(document.metadata, now)).flatMap(([name, value]) => {
    if (typeof value === 'number') return [`${name}: ${value}\n`]
    return typeof value === 'string' && value !== '' ? [`${name}: ${quoted(value)}\n`] : []
  })
  const text = document.markdown ?? document.summary ?? document.html ?? document.rawHtml ?? ''
  return `---\n${facts.join('')}---\n\n${text.trimEnd()}\n`
}

const factsOf = (metadata: Metadata, now: number) => ({
  title: metadata.title,
  url: metadata.url,
  sourceURL: metadata.sourceURL,
  statusCode: metadata.statusCode,
  description: metadata.description,
  language: metadata.language,
  fetched: metadata.cachedAt ?? new Date(now).toISOString(),
  scrapeId: metadata.scrapeId,
})

/**
 * A double-quoted scalar of YAML (1.2, 7.3.1). It is what JSON writes, but for characters that YAML does not take as
 * they are, and those that older readers take for line ends.
 */
export function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(
    /[\x7F-\x9F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
