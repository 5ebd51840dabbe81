/** A product, in the words of the contract. */
export type ProductProfile = {
  title: string
  brand?: string | undefined
  /** From the widest to the narrowest, joined with " > ". */
  category?: string | undefined
  url: string
  description?: string | undefined
  variants: ProductVariant[]
}

export type ProductVariant = {
  /** Number of the variant in its shop, or its GTIN or MPN. */
  id?: string | undefined
  sku?: string | undefined
  title?: string | undefined
  /** What makes the variant: size, color and the like. */
  values?: Record<string, string> | undefined
  price?: ProductPrice | undefined
  sale?: { originalPrice: ProductPrice } | undefined
  availability: ProductAvailability
  images?: ProductImage[] | undefined
}

/** `currency` is an ISO 4217 code; `formatted` is the price as the page shows it. */
export type ProductPrice = { amount: number; currency?: string | undefined; formatted?: string | undefined }
/** `text` is the name schema.org has for it, or what the page says; without it, what has a price counts as in stock. */
export type ProductAvailability = { inStock: boolean; text?: string | undefined }
export type ProductImage = { url: string; alt?: string | undefined }
