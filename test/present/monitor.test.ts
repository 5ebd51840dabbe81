import { expect, test } from 'vitest'
import { presentCheck } from '../../src/operations/monitor.ts'
import type { CheckDetail } from '../../src/schema/monitor-schema.ts'

test('changes are shown in blocks per page, and unchanged pages are left out', () => {
  const page = { id: 'p', error: null, diff: null, snapshot: null, isReported: true }
  const data = {
    id: 'c',
    monitorId: 'm',
    status: 'completed',
    createdAt: '2026-01-01T00:00:00.000Z',
    summary: { totalPages: 2, same: 1, changed: 1 },
    actualCredits: 2,
    error: null,
    pages: [
      { ...page, url: 'https://a.test/', status: 'changed', diff: { text: '-9 €\n+8 €' } },
      { ...page, url: 'https://b.test/', status: 'same' },
    ],
  } as unknown as CheckDetail
  const { parts } = presentCheck({ data })
  expect(parts.map((part) => (part.kind === 'page' ? [part.origin, part.text] : part.kind))).toEqual([
    'text',
    ['https://a.test/', '-9 €\n+8 €'],
  ])
  expect(JSON.stringify(parts[0])).not.toContain('€')
})
