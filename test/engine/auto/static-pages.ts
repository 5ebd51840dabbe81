import type { Shape } from './shape.ts'
import { frameworkShapes } from './static-frameworks.ts'
import { textShapes } from './static-texts.ts'
import { thingShapes } from './static-things.ts'

export type MadePage = { name: string; html: string; status: number }

const sizes = [0, 1, 2, 3]

/** Ordinary pages of many shapes, each in four sizes: none needs a browser. */
export const staticPages: readonly MadePage[] = [...textShapes, ...thingShapes, ...frameworkShapes].flatMap(
  ({ name, page, status = 200 }: Shape) =>
    sizes.map((size) => ({ name: `${name}, size ${size}`, html: page(size), status })),
)
