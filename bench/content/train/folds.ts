/** Scores pages by models trained without their hosts: node folds.ts MODELS SET.jsonl.gz ... See README.md. */
import { spawn } from 'node:child_process'
import { createWriteStream, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { text } from 'node:stream/consumers'
import { readPages } from '../page-set.ts'
import { asScraped } from '../ours.ts'
import { scoreOf, type Score } from '../score.ts'
import { holesIn } from './holes.ts'

type Scored = Score & { id: string; type: string; isTruthKnown: boolean; holes: number }

const [models, ...rest] = process.argv.slice(2)
if (!models || rest.length === 0) throw new Error('Name the folder of the models, then files of labelled pages')
const fold = process.env['FOLD']

if (fold === undefined) {
  for (const set of rest) {
    const folds = foldsIn(models)
    const found: Scored[] = []
    // Sequential: two at a time would not be faster on two cores, because each reads all pages again.
    for (const each of new Set(Object.values(folds))) found.push(...(await scoreIn(each, set)))
    report(basename(set), found)
  }
} else {
  const model = pathToFileURL(join(models, `fold${fold}.json`)).href
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === './block-model.json' ? next(model, context) : next(specifier, context),
  })
  const { readHtml } = await import('../../../src/engine/html/page/read-parts.ts')
  const folds = foldsIn(models)
  const out = createWriteStream('', { fd: 1 })
  for await (const page of readPages(rest[0]!, Infinity)) {
    if (folds[page.id] !== Number(fold)) continue
    const request = { ...asScraped, wanted: ['markdown'] as const, html: page.html, url: page.url }
    const markdown = readHtml(request).markdown ?? ''
    const holes = holesIn(markdown, readHtml({ ...request, onlyMainContent: false }).markdown ?? '').length
    const { id, type } = page
    out.write(`${JSON.stringify({ id, type, isTruthKnown: page.truth !== '', holes, ...scoreOf(markdown, page) })}\n`)
  }
}

function foldsIn(folder: string): Record<string, number> {
  return JSON.parse(readFileSync(join(folder, 'folds.json'), 'utf8')) as Record<string, number>
}

async function scoreIn(each: number, set: string): Promise<Scored[]> {
  const child = spawn(process.execPath, [import.meta.filename, models!, set], {
    env: { ...process.env, FOLD: String(each) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = (await text(child.stdout)).split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Scored)
}

function report(name: string, all: readonly Scored[]): void {
  const sum = (list: readonly Scored[], valueOf: (each: Scored) => number) =>
    list.reduce((total, each) => total + valueOf(each), 0)
  const mean = (list: readonly Scored[]) => sum(list, ({ f1 }) => f1) / (list.length || 1)
  const [found, wanted, leaked, unwanted] = [
    sum(all, (each) => each.found),
    sum(all, (each) => each.wanted),
    sum(all, (each) => each.leaked),
    sum(all, (each) => each.unwanted),
  ]
  const known = all.filter(({ isTruthKnown }) => isTruthKnown)
  const types = [...Map.groupBy(known, ({ type }) => type)].map(([type, list]) => [type, mean(list)] as const)
  const macro = types.reduce((total, [, value]) => total + value, 0) / (types.length || 1)
  const f1 = known.length > 0 ? mean(known) : (2 * found) / (found + leaked + wanted)
  console.log(
    `${name}: F1 ${f1.toFixed(3)}, macro ${macro.toFixed(3)}, found ${((100 * found) / wanted).toFixed(1)} %, leaked ${((100 * leaked) / unwanted).toFixed(1)} %, words missing in lines on ${all.filter(({ holes }) => holes > 0).length} of ${all.length} pages (${sum(all, ({ holes }) => holes)} lines)`,
  )
  console.log(types.map(([type, value]) => `${type} ${value.toFixed(3)}`).join(', '))
}
