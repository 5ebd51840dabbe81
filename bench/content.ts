/** Quality and cost of the main content of pages, ours beside its peers: see README.md. */
import { parseArgs } from 'node:util'
import { contestants } from './content/contestants.ts'
import { madePages } from './content/made-pages.ts'
import { measureAll } from './content/measure.ts'
import { readPages } from './content/page-set.ts'
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
  const file = positionals[0] ?? process.env['CONTENT_SET']
  const perType = values.limit === undefined ? Infinity : positive('--limit', values.limit)
  const pages = file === undefined ? madePages(perType) : readPages(userPath(file), perType)
  const rows = await measureAll(contestants(values.only), pages, onProgress)
  const count = rows[0]?.results.length ?? 0
  console.log(`Node ${process.version}, ${count} ${file === undefined ? 'made' : 'labelled'} pages\n\n${report(rows)}`)
  if (values.worst && rows[0]) console.log(`\n${worstPages(rows[0], worstCount)}`)
  const figures = rows.map(({ contestant: { id, name }, results }) => ({ id, name, results }))
  await writeJson(values.json, { node: process.version, rows: figures })
}

await main()
