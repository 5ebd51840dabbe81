import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineConfig, type Plugin } from 'vitest/config'
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node'

// Programs, children and threads of tests start from what Node compiled for those before them.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'gossamer-test-compiled')

// What is drawn for this run, in every process: `GOSSAMER_TEST_SEED=… npm test` draws the same again.
process.env['GOSSAMER_TEST_SEED'] ??= String(Math.floor(Math.random() * 2 ** 31))

const report = process.env['GOSSAMER_TEST_REPORT']

/** The report names failed tests alone; a rejection that nobody handles fails the run as well. */
const errorsOutside = (path: string): Reporter => ({
  onTestRunEnd: (_, errors) => writeFileSync(path, String(errors.length)),
})

/** Rooms whose tests wait for most of their time: for deadlines, leases, and programs that start. */
const waiting = ['/test/e2e/', '/test/support/', '/test/crawl/', '/test/crawl-threads/']

/** Files and rooms that take longest, the longest first; the others follow, larger files first. */
const longest = [
  '/test/e2e/sessions-faults',
  '/test/e2e/workflow-outage',
  '/test/store/postgres/conformance',
  '/test/e2e/sessions-secrets',
  '/test/e2e/release',
  '/test/e2e/dashboard',
  '/test/attack/injections',
  '/test/e2e/transports',
  '/test/e2e/orphans',
  '/test/e2e/cluster',
  '/test/store/conformance',
  '/test/e2e/parse-children',
  '/test/e2e/shared-hosts',
  '/test/e2e/sessions-profile',
  '/test/attack/zero-retention',
  '/test/e2e/clients/',
  '/test/support/ask/scrapes',
  '/test/e2e/',
  '/test/session/',
  '/test/browser/',
  '/test/attack/',
]

function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((path) => moduleId.includes(path))
  return place < 0 ? longest.length : place
}

const isWaiting = ({ moduleId }: TestSpecification) => waiting.some((room) => moduleId.includes(room))
const spread = (files: TestSpecification[]) => files.map((file, at) => ({ file, at: at / files.length }))

/** Longest first, so that none runs alone at the end; those that wait evenly among those that compute, so that no core is idle. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const all = (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other))
    return [...spread(all.filter(isWaiting)), ...spread(all.filter((file) => !isWaiting(file)))]
      .toSorted((one, other) => one.at - other.at)
      .map(({ file }) => file)
  }
}

/**
 * Threads and children that are started in the process of a test run what is built before the tests. From the sources each
 * would have the types taken out of all that it loads, which costs more than most of what is asked of it.
 */
const builtThreads: Plugin = {
  name: 'built-threads',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/src/util/threads.ts')) return undefined
    const dist = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'dist/x.js')).href)
    const built = code.replace('(name: string, here: string)', `(name: string, _: string, here = ${dist})`)
    if (built === code) throw new Error('threadUrl is not written as this plugin expects')
    return built
  },
}

export default defineConfig(({ mode }) => ({
  plugins: [builtThreads],
  test: {
    include: ['test/**/*.test.ts'],
    // `npm run test:full`: all draws of property tests.
    env: mode === 'full' ? { GOSSAMER_TEST_FULL: '1' } : {},
    globalSetup: ['test/helpers/build.ts'],
    // These end only what hangs: a wait ends as soon as what it waits for is there, which takes minutes on a machine under load.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // A process takes one file after another: to start one for each, or for each change of project, costs what most files do.
    isolate: false,
    // Most tests wait for a browser, a server or a program, so that more of them run at once than there are cores.
    maxWorkers: 6,
    // Where only one run counts, a browser that a loaded machine held up for seconds gets a second chance; what fails twice is wrong.
    retry: report ? 1 : 0,
    sequence: { sequencer: LongestFirst },
    reporters: report ? ['default', ['json', { outputFile: report }], errorsOutside(`${report}.outside`)] : ['default'],
  },
}))
