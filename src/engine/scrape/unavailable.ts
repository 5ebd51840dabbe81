import { fail } from '../../core/error.ts'
import type { FormatType } from '../../schema/formats.ts'
import type { ScrapeInput } from '../../schema/scrape-options.ts'
import { makers } from '../format/index.ts'

/** Options of the contract that this version does not carry out: asked for, they are refused rather than ignored. */
export function refuseUnavailable(input: ScrapeInput): void {
  const asked = [
    ...input.formats.flatMap(({ type }) => (isAvailable(type) ? [] : [`formats: ${type}`])),
    ...((input.actions ?? []).length > 0 ? ['actions'] : []),
    ...(input.waitFor > 0 ? ['waitFor'] : []),
    ...(input.mobile ? ['mobile'] : []),
    ...(input.onlyCleanContent ? ['onlyCleanContent'] : []),
    ...(input.profile ? ['profile'] : []),
    ...(input.proxy === 'enhanced' || input.proxy === 'stealth' ? [`proxy: ${input.proxy}`] : []),
  ]
  if (asked.length > 0)
    fail('FEATURE_UNAVAILABLE', {
      message: `This version of Gossamer does not do that yet: ${asked.join(', ')}.`,
      details: { options: asked },
    })
}

const isAvailable = (type: FormatType) => makers[type] !== 'later'
