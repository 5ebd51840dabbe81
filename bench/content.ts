/** Compares quality and cost of our main content extraction with those of peers: see README.md. */
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { contestants } from './content/contestants.ts'
import { madePages } from './content/made-pages.ts'
import { measureAll, type Row } from './content/measure.ts'
import { readPages } from './content/page-set.ts'
import { publishedFor } from './content/published.ts'
import { report, worstPages } from './content/report.ts'
import { commonFlags, positive, userPath, writeJson } from './lib/flags.ts'

const worstCount = 20

function onProgress(pages: number): void {
  if (pages % 10 === 0) process.stderr.write(`${pages} pages\n`)
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: commonFlags.json,
      limit: { type: 'string' },
      only: { type: 'string' },
      worst: { type: 'boolean', default: false },
    },
  })
  const perType = values.limit === undefined ? Infinity : positive('--limit', values.limit)
  const named = positionals.length > 0 ? positionals : [process.env['CONTENT_SET'] ?? '']
  const sets = []
  for (const name of named) {
    const path = name === '' ? undefined : userPath(name)
    const pages = path === undefined ? madePages(perType) : readPages(path, perType)
    const rows = await measureAll(contestants(values.only), pages, onProgress)
    console.log(textOf(path, rows))
    if (values.worst && rows[0]) console.log(`\n${worstPages(rows[0], worstCount)}`)
    sets.push({
      set: setName(path),
      rows: rows.map(({ contestant: { id, name: title }, results }) => ({ id, name: title, results })),
    })
  }
  await writeJson(values.json, { node: process.version, sets })
}

const setName = (path: string | undefined) => (path === undefined ? 'made pages' : basename(path))

function textOf(path: string | undefined, rows: readonly Row[]): string {
  const count = rows[0]?.results.length ?? 0
  const published = path === undefined ? undefined : publishedFor(path)
  return [
    `\n# ${setName(path)}: ${count} pages, Node ${process.version}`,
    report(rows),
    ...(published ? [published] : []),
  ].join('\n\n')
}

await main()
