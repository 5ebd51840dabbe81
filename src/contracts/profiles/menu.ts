import type { ProductAvailability, ProductImage, ProductPrice } from './product.ts'

/** The menu of a restaurant, in the words of the contract. */
export type MenuProfile = {
  isMenu: boolean
  /** How sure `isMenu` is, from 0 to 1. */
  confidence: number
  merchant: MenuMerchant
  /** ISO 4217 code; null where prices name none, or several. */
  currency: string | null
  sections: MenuSection[]
  sourceUrl: string
}

export type MenuMerchant = { name: string; type?: string | undefined; location?: Record<string, string> | undefined }

export type MenuSection = { id: string; name: string; description?: string | undefined; items: MenuItem[] }

export type MenuItem = {
  id: string
  name: string
  description?: string | undefined
  images: ProductImage[]
  /** Of the first size, where there are several. */
  price?: ProductPrice | undefined
  availability: ProductAvailability
  /** Such as `vegan` and `gluten-free`, as the page says it. */
  dietary: string[]
  calories?: number | undefined
  optionGroups: { options: MenuOption[] }[]
  identifiers: { merchantItemId?: string | undefined }
  url?: string | undefined
  sourceUrl: string
}
/** A size or kind of an item, with a price of its own. */
export type MenuOption = { name?: string | undefined; price?: ProductPrice | undefined }

/** An item before it has its place in a menu. */
export type MenuDish = Pick<MenuItem, 'name'> & Partial<Omit<MenuItem, 'id' | 'sourceUrl'>>
export type MenuCourse = { name?: string | undefined; description?: string | undefined; dishes: MenuDish[] }

/** What the structured data of a page says of a restaurant and its menu. */
export type MenuFacts = { merchant?: MenuMerchant | undefined; courses: MenuCourse[] }
