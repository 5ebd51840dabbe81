import type { Format } from '../../schema/formats.ts'
import type { Maker } from './maker.ts'

type Attributes = Extract<Format, { type: 'attributes' }>

/** The page was read for the queries of all attribute formats together; each takes its own. */
export const attributes: Maker<Attributes> = {
  needs: ['attributes'],
  make: ({ parts }, { selectors }) => ({
    attributes: (parts.attributes ?? []).filter((found) =>
      selectors.some((query) => query.selector === found.selector && query.attribute === found.attribute),
    ),
  }),
}
