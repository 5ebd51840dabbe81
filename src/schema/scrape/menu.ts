import { z } from 'zod'

export const Price = z.object({
  amount: z.number(),
  currency: z.string().optional().describe('ISO 4217 code.'),
  formatted: z.string().optional().describe('As shown on the page.'),
})

const Item = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  images: z.array(z.object({ url: z.string(), alt: z.string().optional() })),
  price: Price.optional().describe('Of the first size. Absent where the page names none.'),
  availability: z.object({ inStock: z.boolean(), text: z.string().optional() }),
  dietary: z.array(z.string()).describe('Such as vegan and gluten-free, where the page says so.'),
  calories: z.number().optional(),
  optionGroups: z.array(z.unknown()).describe('Sizes with prices of their own.'),
  identifiers: z.object({ merchantItemId: z.string().optional() }),
  url: z.string().optional(),
  sourceUrl: z.string(),
})

/** The menu of a restaurant, in the form that the SDK of the public service knows. */
export const Menu = z
  .object({
    isMenu: z.boolean(),
    confidence: z.number().describe('How sure isMenu is, from 0 to 1.'),
    merchant: z.object({
      name: z.string(),
      type: z.string().nullish().describe('schema.org type, such as Restaurant.'),
      location: z.unknown().optional().describe('Parts of the address.'),
    }),
    currency: z.string().nullish().describe('ISO 4217 code, if all prices have the same.'),
    sections: z.array(
      z.object({ id: z.string(), name: z.string(), description: z.string().optional(), items: z.array(Item) }),
    ),
    sourceUrl: z.string(),
  })
  .describe('The menu of a restaurant; isMenu is false where the page is none.')
