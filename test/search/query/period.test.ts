import { expect, test } from 'vitest'
import type { SearchPeriod } from '../../../src/contracts/search-port.ts'
import { parsePeriod } from '../../../src/engine/search/query/parse-query.ts'
import { AppError } from '../../../src/kernel/error.ts'
import { noon } from '../../helpers/fakes.ts'

const none: SearchPeriod = { from: undefined, to: undefined, preset: undefined, sort: 'relevance' }
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const at = (text: string) => Date.parse(text)

test.each<[tbs: string, period: Partial<SearchPeriod>]>([
  ['qdr:h', { preset: 'h', from: noon - hourMs }],
  ['qdr:d', { preset: 'd', from: noon - dayMs }],
  ['qdr:w', { preset: 'w', from: noon - 7 * dayMs }],
  ['qdr:y', { preset: 'y', from: noon - 365 * dayMs }],
  ['qdr:h12', { from: noon - 12 * hourMs }],
  ['qdr:d3', { from: noon - 3 * dayMs }],
  ['d', { preset: 'd', from: noon - dayMs }],
  ['sbd:1', { sort: 'date' }],
  ['sbd:1,qdr:w', { sort: 'date', preset: 'w', from: noon - 7 * dayMs }],
  [
    'cdr:1,cd_min:01/02/2026,cd_max:03/04/2026',
    { from: at('2026-01-02T00:00:00Z'), to: at('2026-03-04T23:59:59.999Z') },
  ],
  ['cdr:1,cd_min:12/31/2025', { from: at('2025-12-31') }],
  ['cdr:1,cd_max:12/31/2025', { to: at('2025-12-31T23:59:59.999Z') }],
  ['cd_min:12/31/2025', { from: at('2025-12-31') }],
  ['sbd:1,cdr:1,cd_min:01/01/2026', { sort: 'date', from: at('2026-01-01') }],
])('a period is parsed: %s', (tbs, period) => expect(parsePeriod(tbs, noon)).toEqual({ ...none, ...period }))

test.each([
  ['', 'each part is a name and a value'],
  ['x', 'each part is a name and a value'],
  ['qdr:d,', 'each part is a name and a value'],
  ['qdr:', 'qdr takes'],
  ['qdr:x', 'qdr takes'],
  ['qdr:d1000', 'qdr takes'],
  ['cdr:1', 'cdr:1 needs'],
  ['cdr:0,cd_min:01/01/2026', 'cdr takes 1'],
  ['cdr:1,cd_min:2026-01-02', 'dates are MM/DD/YYYY'],
  ['cdr:1,cd_min:1/2/26', 'dates are MM/DD/YYYY'],
  ['cdr:1,cd_min:13/01/2026', 'that day does not exist'],
  ['cdr:1,cd_min:01/00/2026', 'that day does not exist'],
  ['cdr:1,cd_max:02/29/2026', 'that day does not exist'],
  ['cdr:1,cd_min:03/01/2026,cd_max:02/01/2026', 'cd_min is after cd_max'],
  ['qdr:d,cdr:1,cd_min:01/01/2026', 'either qdr or a range'],
  ['lr:lang_de', 'lr is not known'],
  ['__proto__:x', '__proto__ is not known'],
])('a period is refused with the reason: %j', (tbs, why) => {
  const error = thrownBy(() => parsePeriod(tbs, noon))
  expect(error).toMatchObject({ code: 'BAD_REQUEST', details: [{ path: ['tbs'] }] })
  expect(error.message).toContain(why)
  expect(error.message).toContain('cdr:1,cd_min:MM/DD/YYYY')
})

function thrownBy(work: () => unknown): AppError {
  try {
    work()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
