import { describe, expect, test } from 'vitest'
import { isReported } from '../../src/engine/monitor/check-monitor.ts'
import type { Condition, PageStatus } from '../../src/schema/monitor-schema.ts'

const later = { isFirst: false }
const page = (status: PageStatus, json?: Record<string, unknown>) => ({ status, snapshot: json ? { json } : null })

describe('notified page states', () => {
  test.each<[PageStatus, boolean]>([
    ['same', false],
    ['new', true],
    ['changed', true],
    ['removed', true],
    ['error', true],
  ])('%s is reported: %s', (status, reported) => expect(isReported(page(status), {}, later)).toBe(reported))

  test('new pages in the first check are reported only on request', () => {
    expect(isReported(page('new'), {}, { isFirst: true })).toBe(false)
    expect(isReported(page('error'), {}, { isFirst: true })).toBe(true)
    expect(isReported(page('new'), { status: ['new'] }, { isFirst: true })).toBe(true)
  })

  test('only the requested statuses are reported', () => {
    expect(isReported(page('changed'), { status: ['removed'] }, later)).toBe(false)
    expect(isReported(page('same'), { status: ['same'] }, later)).toBe(true)
  })
})

type Field = NonNullable<Condition['field']>
const offer = {
  price: 19.5,
  text: '12',
  name: 'Kettle',
  tags: ['hot'],
  offers: [{ price: 3 }],
  stock: false,
  none: null,
}

test.each<[Field['path'], Field['is'], Field['value'], boolean]>([
  ['price', '<', 20, true],
  ['price', '<', 19.5, false],
  ['price', '<=', 19.5, true],
  ['price', '>', 19, true],
  ['price', '>=', '19.5', true],
  ['price', '=', '19.50', true],
  ['price', '!=', 19.5, false],
  ['text', '>', 9, true],
  ['name', '<', 20, false],
  ['name', '=', 'Kettle', true],
  ['name', 'contains', 'ett', true],
  ['tags', 'contains', 'hot', true],
  ['tags', 'contains', 'ho', false],
  ['offers[0].price', '=', 3, true],
  ['offers[1].price', '!=', 3, false],
  ['stock', '=', false, true],
  ['none', '=', null, true],
  ['none', '<', 1, false],
  ['constructor.name', '!=', '', false],
])('a page is reported by the condition %s %s %j: %s', (path, is, value, reported) =>
  expect(isReported(page('changed', offer), { field: { path, is, value } }, later)).toBe(reported),
)
