import type { MakerOf } from './maker.ts'

/** The page was read for the queries of all attribute formats together; each takes its own, in order. */
export const attributes: MakerOf<'attributes'> = {
  needs: ['attributes'],
  make: ({ content: { attributes: found = [] } }, { selectors }) => ({
    attributes: selectors.flatMap(
      ({ selector, attribute }) =>
        found.find((each) => each.selector === selector && each.attribute === attribute) ?? [],
    ),
  }),
}
