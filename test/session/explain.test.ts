import { describe, expect, it } from 'vitest'
import type { CodeResult } from '../../src/contracts/session-port.ts'
import { explainFailure } from '../../src/engine/session/acting-calls.ts'
import { failure } from '../../src/kernel/error.ts'

const ran: CodeResult = {
  success: true,
  stdout: '',
  result: '',
  lastValue: null,
  stderr: '',
  exitCode: 0,
  killed: false,
}
const refused = failure('SCRAPE_ADDRESS_REFUSED')
const why = `${refused.message} ${refused.hint}`
const inner = 'http://10.0.0.1/'
const proxyErrorOf = (url: string) => (url === inner ? refused : undefined)

const tab = ({ refusedUrl, dialog }: { refusedUrl?: string; dialog?: 'confirm' } = {}) =>
  ({
    traffic: { requestedUrl: () => refusedUrl },
    dialogs: { open: () => dialog && { kind: dialog, message: 'page text' } },
  }) as unknown as Parameters<typeof explainFailure>[1]

describe('the result of code', () => {
  it('contains the reason for a refused URL, whether the error was thrown or printed', () => {
    const text = `page.goto: net::ERR_TUNNEL_CONNECTION_FAILED at ${inner}`
    const thrown = explainFailure(
      { ...ran, exitCode: 1, error: text, stderr: `Error: ${text}\n    at code.js:1\n` },
      tab(),
      proxyErrorOf,
    )
    expect(thrown.error).toBe(`${text} ${why}`)
    expect(thrown.stderr).toContain(`[note] ${why}\n`)
    const printed = explainFailure({ ...ran, stderr: `✗ ${text}\n` }, tab(), proxyErrorOf)
    expect(printed).toEqual({ ...ran, stderr: `✗ ${text}\n[note] ${why}\n` })
  })

  it('contains the refused target of a redirect', () => {
    const error = 'page.goto: net::ERR_HTTP_RESPONSE_CODE_FAILURE at https://example.com/out'
    expect(explainFailure({ ...ran, error }, tab({ refusedUrl: inner }), proxyErrorOf).error).toBe(`${error} ${why}`)
  })

  it('names a dialog that blocked the page, without its text', () => {
    const { error } = explainFailure(
      { ...ran, killed: true, error: 'Execution timed out after 5 s.' },
      tab({ dialog: 'confirm' }),
      proxyErrorOf,
    )
    expect(error).toContain('A dialog (confirm) is open')
    expect(error).not.toContain('page text')
  })

  it.each<[string, CodeResult]>([
    ['code without an error', ran],
    ['an unreachable URL that was not refused', { ...ran, error: 'net::ERR_ABORTED at https://example.com/' }],
    ['code that exceeded its timeout', { ...ran, killed: true, error: 'Execution timed out after 5 s.' }],
  ])('is unchanged for %s', (_, result) => expect(explainFailure(result, tab(), proxyErrorOf)).toBe(result))
})
