// Prints the result of a run: one line per reason for refusal, then "N passed, N failed". Runs on any version of Node.
// Arguments: test report, number of errors outside of tests (a file written by vitest.config.ts), reasons.
const fs = require('node:fs')

const [report = '', outside = '', ...reasons] = process.argv.slice(2)
const read = (path) => (fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : '')

const text = read(report)
const {
  numPassedTests = 0,
  numFailedTests = 0,
  numFailedTestSuites = 0,
  success = false,
} = text ? JSON.parse(text) : {}
const errors = Number(read(outside))

if (!text) reasons.push('the tests left no report')
else if (numPassedTests === 0) reasons.push('no test passed')
if (numFailedTests === 0 && numFailedTestSuites > 0)
  reasons.push(`${numFailedTestSuites} files or groups of tests failed without a test`)
if (errors > 0) reasons.push(`vitest reported ${errors} ${errors === 1 ? 'error' : 'errors'} outside of tests`)
const lines = [...reasons.map((reason) => `refused: ${reason}`), `${numPassedTests} passed, ${numFailedTests} failed`]
process.stdout.write(`${lines.join('\n')}\n`)
process.exitCode = success && numPassedTests > 0 && reasons.length === 0 ? 0 : 1
