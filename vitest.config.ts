import { defineConfig } from 'vitest/config'

const report = process.env['GOSSAMER_TEST_REPORT']

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
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
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
})
