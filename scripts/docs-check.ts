/**
 * `npm run docs:check [-- PAGE…]`: runs all commands of the README and the docs locally, and checks that their JSON
 * parses, their links resolve and the commands they mention exist. Skipped commands are listed with their reasons.
 */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { findBrowser } from '../src/engine/browser/find/find-browser.ts'
import { machineProbes } from '../src/engine/browser/find/machine-probes.ts'
import { copyCheckout } from './docs-check/checkout.ts'
import { runPage, type PageReport } from './docs-check/run-page.ts'
import { openSandbox } from './docs-check/sandbox.ts'
import { startStandIn } from './docs-check/stand-in.ts'
import { pages, writtenFaults } from './docs-check/written.ts'

/** Number of page groups run concurrently; their commands mostly wait for programs to start. */
const atOnce = 3

const root = dirname(import.meta.dirname)
process.chdir(root)
const only = process.argv.slice(2)
const run = globSync(['README.md', 'CONTRIBUTING.md', 'docs/**/*.md']).sort()
const asked = run.filter((path) => only.length === 0 || only.includes(path))

const hasBrowser = await findBrowser('shell', {}, machineProbes('')).then(
  () => true,
  () => false,
)
const curl = execFileSync('bash', ['-c', 'command -v curl'], { encoding: 'utf8' }).trim()
const checkout = await copyCheckout(root)
const standIn = await startStandIn()
const reports: PageReport[] = []

async function runGroup(paths: readonly string[], cwd?: string): Promise<void> {
  const { path, programs } = checkout
  const sandbox = await openSandbox({
    root: path,
    programs,
    standIn: standIn.url,
    curl,
    ...(cwd !== undefined && { cwd }),
  })
  try {
    for (const each of paths) reports.push(await runPage(each, readFileSync(each, 'utf8'), sandbox, hasBrowser))
  } finally {
    sandbox.end()
  }
}

try {
  // These pages rebuild the program, so nothing else may run meanwhile.
  for (const path of asked.filter((each) => !each.includes('/'))) await runGroup([path], checkout.path)
  // The reference pages share one server, since none changes what another one shows.
  const groups = Map.groupBy(
    asked.filter((each) => each.includes('/')),
    (path) => (path.startsWith('docs/reference/') ? 'reference' : path),
  )
  const waiting = [...groups.values()].toSorted((one, other) => other.length - one.length)
  const work = async () => {
    for (let group = waiting.shift(); group; group = waiting.shift()) await runGroup(group)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
} finally {
  standIn.close()
  checkout.remove()
}

const faults = [
  ...pages(root).flatMap((path) => writtenFaults(root, path)),
  ...reports.flatMap((report) => report.faults),
]
for (const each of reports.flatMap(({ notRun }) => notRun).sort()) console.log(`not run: ${each}`)
for (const fault of faults) console.error(fault)
console.log(`${reports.reduce((sum, { ran }) => sum + ran, 0)} commands run, ${faults.length} faults`)
process.exit(faults.length > 0 ? 1 : 0)
