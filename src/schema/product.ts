import { z } from 'zod'

const Price = z.object({
  amount: z.number(),
  currency: z.string().optional().describe('ISO 4217 code.'),
  formatted: z.string().optional().describe('As the page shows it.'),
})

const Variant = z.object({
  id: z.string().optional().describe('Number in the shop, GTIN or MPN.'),
  sku: z.string().optional(),
  title: z.string().optional(),
  values: z.record(z.string(), z.unknown()).optional().describe('What makes the variant, such as size and color.'),
  price: Price.optional(),
  sale: z.object({ originalPrice: Price }).optional(),
  availability: z.object({
    inStock: z.boolean(),
    text: z
      .string()
      .optional()
      .describe('Name of schema.org, such as InStock, or what the page says; absent where it says nothing.'),
  }),
  images: z.array(z.object({ url: z.string(), alt: z.string().optional() })).optional(),
})

/** A product as the structured data of its page describes it. */
export const Product = z
  .object({
    title: z.string(),
    brand: z.string().optional(),
    category: z.string().optional().describe('From the widest to the narrowest, joined with " > ".'),
    url: z.string(),
    description: z.string().optional(),
    variants: z.array(Variant),
  })
  .describe('The product that the page is about, with its variants, prices and availability.')
