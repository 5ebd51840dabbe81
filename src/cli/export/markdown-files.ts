import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Document } from '../../schema/document.ts'
import { folded, pathOf, withMark } from './file-path.ts'
import { markdownFile } from './front-matter.ts'
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
      await mkdir(dirname(file), { recursive: true })
      await writeWhole(file, markdownFile(document, now()))
      return path
    },
    taken: (path, scrapeId) => void owners.set(folded(path), scrapeId),
  }
}
