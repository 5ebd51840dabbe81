import type { Format } from '../../../schema/scrape/formats.ts'
import type { Maker } from './maker.ts'

type Attributes = Extract<Format, { type: 'attributes' }>

/** The page was read for the queries of all attribute formats together; each takes its own, in its own order. */
export const attributes: Maker<Attributes> = {
  needs: ['attributes'],
  make: ({ content: { attributes: found = [] } }, { selectors }) => ({
    attributes: selectors.flatMap(
      ({ selector, attribute }) =>
        found.find((each) => each.selector === selector && each.attribute === attribute) ?? [],
    ),
  }),
}
