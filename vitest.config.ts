import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Programs, children and threads of tests start from what Node compiled for those before them.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'gossamer-test-compiled')

const report = process.env['GOSSAMER_TEST_REPORT']

/** Rooms whose tests start programs or browsers. */
const apart = ['test/{browser,conformance,e2e,mcp,session}/**/*.test.ts', 'test/engine/auto/**/*.test.ts']

/** Rooms whose files mostly wait; they come first, so that the last of them does not run alone at the end. */
const longest = ['/test/e2e/', '/test/crawl/', '/test/session/', '/test/browser/']

function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((room) => moduleId.includes(room))
  return place < 0 ? longest.length : place
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}

export default defineConfig({
  test: {
    globalSetup: ['test/helpers/build.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A poll ends as soon as it holds; a machine under load takes longer than the default second.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // Most tests wait for a browser, a server or a program, so that more of them run at once than there are cores.
    maxWorkers: 4,
    // Where only one run counts, a browser that a loaded machine held up for seconds gets a second chance; what fails twice is wrong.
    retry: report ? 1 : 0,
    sequence: { sequencer: LongestFirst },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      { extends: true, test: { name: 'programs', include: apart, isolate: false } },
      { extends: true, test: { name: 'rooms', include: ['test/**/*.test.ts'], exclude: apart, isolate: false } },
    ],
  },
})
