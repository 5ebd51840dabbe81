import { fail } from '../../core/error.ts'
import type { Format, FormatType } from '../../schema/formats.ts'
import type { ScrapeInput } from '../../schema/scrape-options.ts'
import { makers } from '../format/index.ts'

/** Options of the contract that this version does not carry out: asked for, they are refused rather than ignored. */
export function refuseUnavailable(input: Pick<ScrapeInput, 'formats' | 'onlyCleanContent'>): void {
  const asked = [
    ...input.formats.flatMap(({ type }) => (isAvailable(type) ? [] : [`formats: ${type}`])),
    ...(input.onlyCleanContent ? ['onlyCleanContent'] : []),
  ]
  refuse(asked)
}

/** The same for calls that know formats and none of the other options. */
export function refuseFormats(formats: readonly Format[]): void {
  refuse(formats.flatMap(({ type }) => (isAvailable(type) ? [] : [`formats: ${type}`])))
}

function refuse(asked: readonly string[]): void {
  if (asked.length > 0)
    fail('FEATURE_UNAVAILABLE', {
      message: `This version of Gossamer does not do that yet: ${asked.join(', ')}.`,
      details: { options: asked },
    })
}

const isAvailable = (type: FormatType) => makers[type] !== 'later'
