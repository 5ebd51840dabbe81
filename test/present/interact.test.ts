import { expect, test } from 'vitest'
import { presentInteraction } from '../../src/operations/present/present-session.ts'

const ran = { stdout: 'seen\n', result: '42', stderr: '', exitCode: 0, killed: false }

test('the output of code is shown as page text, and the live view URL as text of Gossamer', () => {
  const address = 'http://127.0.0.1:3002/live/k'
  const { parts } = presentInteraction({ ...ran, interactiveLiveViewUrl: address }, 'one')
  const pages = parts.flatMap((part) => (part.kind === 'page' ? [[part.label, part.text, part.origin]] : []))
  expect(pages).toEqual([
    ['stdout', 'seen\n', 'the page of scrape one'],
    ['result', '42', 'the page of scrape one'],
  ])
  expect(parts.at(-1)).toEqual({ kind: 'text', text: expect.stringContaining(address) })
})

test('failed code is shown with its output', () => {
  const failed = { ...ran, stdout: '', result: null, stderr: 'at line 1', exitCode: 1, error: 'Error: mine' }
  const { parts } = presentInteraction(failed, 'one')
  expect(parts[0]).toMatchObject({ kind: 'text', text: expect.stringContaining('failed') })
  expect(parts.map((part) => 'label' in part && part.label).filter(Boolean)).toEqual(['stderr', 'error'])
})

test('the answer to a prompt is shown as page text, and the reason for a missing answer as text of Gossamer', () => {
  const url = 'http://127.0.0.1:3002/live/k'
  const needsPerson = { reason: 'captcha', outcome: 'waiting', message: 'Solve it.', url } as const
  const result = { ...ran, stdout: '', result: 'h1 "Shop"', output: '19.90 €', error: 'Not finished.', needsPerson }
  const { parts } = presentInteraction(result, 'one')
  expect(parts).toEqual([
    { kind: 'text', text: expect.stringMatching(/^Not finished\. Solve it\. .*\/live\/k/) },
    { kind: 'page', label: 'answer', text: '19.90 €', origin: 'the page of scrape one' },
    { kind: 'page', label: 'the page at the end', text: 'h1 "Shop"', origin: 'the page of scrape one' },
  ])
})
