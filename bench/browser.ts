/** Compares our browser rendering with that of peers: see README.md. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findBrowser } from '../src/engine/browser/find/find-browser.ts'
import { machineProbes } from '../src/engine/browser/find/machine-probes.ts'
import { autoTable, autoTargets, measureAuto } from './browser/auto.ts'
import { contestants } from './browser/contestants.ts'
import { measureMemory, memoryTable, memoryTargets } from './browser/memory.ts'
import { measureRest, restTable } from './browser/rest.ts'
import { faultsOf, measureSpeed, speedTable, speedTargets } from './browser/speed.ts'
import { commonFlags, positive, writeJson } from './lib/flags.ts'
import { startSite } from './lib/start-site.ts'
import { describeTargets, exitCode, type Target } from './lib/targets.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: commonFlags.json,
    check: commonFlags.check,
    only: { type: 'string' },
    pages: { type: 'string', default: '24' },
    rounds: { type: 'string', default: '3' },
    concurrency: { type: 'string', default: '1,4,8' },
    'memory-pages': { type: 'string', default: '500' },
  },
})

type Part = { text: string; targets: readonly Target[]; figures: unknown }

async function speed(browserPath: string, origin: string): Promise<Part> {
  const rows = await measureSpeed({
    contestants: contestants(values.only),
    browserPath,
    origin,
    pages: positive('--pages', values.pages),
    rounds: positive('--rounds', values.rounds),
    concurrencies: values.concurrency.split(',').map((each) => positive('--concurrency', each)),
  })
  const faults = rows.flatMap((row) => faultsOf(row).map((fault) => `${row.contestant.name}: ${fault}`))
  return { text: [speedTable(rows), ...faults.slice(0, 10)].join('\n'), targets: speedTargets(rows), figures: rows }
}

async function memory(browserPath: string, origin: string): Promise<Part> {
  const rows = await measureMemory(browserPath, origin, positive('--memory-pages', values['memory-pages']))
  return { text: memoryTable(rows), targets: memoryTargets(rows), figures: rows }
}

async function auto(browserPath: string, origin: string): Promise<Part> {
  const rows = await measureAuto(browserPath, origin)
  const wrong = rows.flatMap((row) => row.wrong.map((name) => `wrong: ${name}`))
  return { text: [autoTable(rows), ...wrong].join('\n'), targets: autoTargets(rows), figures: rows }
}

async function rest(browserPath: string, origin: string): Promise<Part> {
  const rows = await measureRest(browserPath, origin, positive('--rounds', values.rounds))
  return { text: restTable(rows), targets: [], figures: rows }
}

const parts: Readonly<Record<string, typeof speed>> = { speed, memory, auto, rest }

async function main(): Promise<void> {
  const wanted = positionals.length > 0 ? positionals : Object.keys(parts)
  const unknown = wanted.find((name) => !(name in parts))
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}; there are ${Object.keys(parts).join(', ')}`)
  // oxlint-disable-next-line node/no-process-env -- as the program takes it
  const browserPath = process.env['GOSSAMER_BROWSER_PATH']
  const found = await findBrowser('shell', { browserPath }, machineProbes('/nonexistent'))
  if (found.from === 'remote') throw new Error('A browser of this machine is needed')
  const site = await startSite(join(import.meta.dirname, 'browser', 'site.ts'))
  console.log(`Node ${process.version}, ${found.path}\n`)
  const done: Record<string, Part> = {}
  try {
    for (const name of wanted) {
      const part = await parts[name]?.(found.path, site.origin)
      if (!part) continue
      done[name] = part
      console.log(`${name}\n\n${part.text}\n\n${describeTargets(part.targets)}\n`)
    }
  } finally {
    await site.end()
  }
  const figures = Object.fromEntries(Object.entries(done).map(([name, part]) => [name, part.figures]))
  await writeJson(values.json, { node: process.version, browser: found.path, ...figures })
  process.exitCode = exitCode(
    Object.values(done).flatMap((part) => [...part.targets]),
    values.check,
  )
}

await main()
