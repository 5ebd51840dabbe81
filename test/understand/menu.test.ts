import { describe, expect, test } from 'vitest'
import type { MenuItem, MenuProfile } from '../../src/contracts/profiles/menu.ts'
import { builtInMenu } from '../../src/engine/understand/menu/built-in.ts'
import { read } from '../html/read.ts'

const url = 'https://trattoria.example/card'

function menuOf(body: string, { title = 'Trattoria', head = '', lang = 'en' } = {}): MenuProfile {
  const html = `<!doctype html><html lang="${lang}"><head><title>${title}</title>${head}</head><body><main>${body}</main></body></html>`
  return builtInMenu({ url, content: read(html, ['markdown', 'metadata', 'menu'], { url }) })
}
const jsonLd = (data: object) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`
const short = ({ name, description, price }: MenuItem) => [name, description, price?.amount, price?.currency]
const dishes = (menu: MenuProfile) =>
  Object.fromEntries(menu.sections.map(({ name, items }) => [name, items.map((item) => short(item))]))

const mains = (...texts: string[]) => `<h2>Mains</h2>${texts.map((text) => `<p>${text}</p>`).join('')}`

const restaurant = {
  '@context': 'https://schema.org',
  '@type': 'Restaurant',
  name: 'Da Nino',
  address: { '@type': 'PostalAddress', streetAddress: 'Via Roma 1', addressLocality: 'Bari' },
  hasMenu: {
    '@type': 'Menu',
    hasMenuSection: [
      {
        '@type': 'MenuSection',
        name: 'Pizza',
        hasMenuItem: [
          {
            '@type': 'MenuItem',
            name: 'Margherita',
            description: 'Tomato, mozzarella',
            image: '/margherita.jpg',
            sku: 'P1',
            offers: { '@type': 'Offer', price: '8.50', priceCurrency: 'EUR' },
            suitableForDiet: ['https://schema.org/VegetarianDiet', 'https://schema.org/GlutenFreeDiet'],
            nutrition: { '@type': 'NutritionInformation', calories: '810 calories' },
          },
          {
            '@type': 'MenuItem',
            name: 'Diavola',
            offers: [
              { '@type': 'Offer', name: 'small', price: 9, priceCurrency: 'EUR' },
              { '@type': 'Offer', name: 'large', price: 12, priceCurrency: 'EUR' },
            ],
          },
          { '@type': 'MenuItem', name: 'Of the day' },
          { '@type': 'MenuItem', offers: { price: 3 } },
        ],
      },
      { '@type': 'MenuSection', name: 'Empty' },
    ],
  },
}

describe('a menu in structured data', () => {
  test('is read with its restaurant', () => {
    const menu = menuOf('<p>Welcome</p>', { head: jsonLd(restaurant) })
    expect(menu).toMatchObject({
      isMenu: true,
      merchant: {
        name: 'Da Nino',
        type: 'Restaurant',
        location: { streetAddress: 'Via Roma 1', addressLocality: 'Bari' },
      },
      currency: 'EUR',
      sourceUrl: url,
    })
    expect(menu.confidence).toBeGreaterThan(0.9)
    expect(menu.sections.map(({ name }) => name)).toEqual(['Pizza'])
    const [margherita, diavola, daily, ...more] = menu.sections[0]!.items
    expect(margherita).toEqual({
      id: 'pizza/margherita',
      name: 'Margherita',
      description: 'Tomato, mozzarella',
      images: [{ url: 'https://trattoria.example/margherita.jpg' }],
      price: { amount: 8.5, currency: 'EUR' },
      availability: { inStock: true },
      dietary: ['vegetarian', 'gluten-free'],
      calories: 810,
      optionGroups: [],
      identifiers: { merchantItemId: 'P1' },
      sourceUrl: url,
    })
    expect(diavola?.optionGroups).toEqual([
      {
        options: [
          { name: 'small', price: { amount: 9, currency: 'EUR' } },
          { name: 'large', price: { amount: 12, currency: 'EUR' } },
        ],
      },
    ])
    expect(daily).not.toHaveProperty('price')
    expect(daily?.availability).toEqual({ inStock: true })
    expect(more).toEqual([])
  })

  test('may be tied together by ids, in a circle too', () => {
    const graph = [
      { '@type': 'Menu', '@id': '#m', hasMenuSection: { '@id': '#s' } },
      {
        '@type': 'MenuSection',
        '@id': '#s',
        name: 'Soups',
        hasMenuSection: { '@id': '#s' },
        hasMenuItem: { '@id': '#i' },
      },
      { '@type': 'MenuItem', '@id': '#i', name: 'Ramen', offers: { price: 1200, priceCurrency: 'JPY' } },
    ]
    expect(dishes(menuOf('', { head: jsonLd({ '@graph': graph }) }))).toEqual({
      Soups: [['Ramen', undefined, 1200, 'JPY']],
    })
  })

  test('may be microdata', () => {
    const menu =
      menuOf(`<div itemscope itemtype="https://schema.org/Menu"><div itemprop="hasMenuSection" itemscope itemtype="https://schema.org/MenuSection">
      <h2 itemprop="name">Drinks</h2><div itemprop="hasMenuItem" itemscope itemtype="https://schema.org/MenuItem"><b itemprop="name">Cider</b>
      <span itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price">£4.20</span></span></div></div></div>`)
    expect(dishes(menu)).toEqual({ Drinks: [['Cider', undefined, 4.2, 'GBP']] })
  })
})

describe('a menu in the text', () => {
  test.each<[name: string, body: string]>([
    [
      'a list',
      `<h2>Starters</h2><ul><li><b>Bruschetta</b> – tomato and basil ..... €6.50</li><li>Soup of the day €5</li></ul>
       <h2>Desserts</h2><ul><li>Tiramisù, 7,00 €</li><li>Bring your own cake for €2</li></ul>`,
    ],
    [
      'a table',
      `<h2>Starters</h2><table><tr><th>Dish</th><th>What</th><th>Price</th></tr><tr><td>Bruschetta</td><td>tomato and basil</td><td>€6.50</td></tr>
       <tr><td>Soup of the day</td><td></td><td>€5</td></tr></table><h2>Desserts</h2><table><tr><th>Dish</th><th>Price</th></tr><tr><td>Tiramisù</td><td>€7</td></tr></table>`,
    ],
    [
      'lines with a name in bold, and descriptions below',
      `<h2>Starters</h2><p><b>Bruschetta</b> €6.50</p><p>tomato and basil</p><p><b>Soup of the day</b> €5</p><h2>Desserts</h2><p>Tiramisù: €7</p>`,
    ],
    [
      'headings for dishes',
      `<h2>Starters</h2><h3>Bruschetta</h3><p>tomato and basil</p><p>€6.50</p><h3>Soup of the day</h3><p>€5</p><h2>Desserts</h2><h3>Tiramisù</h3><p>€7</p>`,
    ],
  ])('of %s is read', (_, body) => {
    const menu = menuOf(body)
    expect(menu).toMatchObject({ isMenu: true, currency: 'EUR', merchant: { name: 'Trattoria' } })
    expect(dishes(menu)).toEqual({
      Starters: [
        ['Bruschetta', 'tomato and basil', 6.5, 'EUR'],
        ['Soup of the day', undefined, 5, 'EUR'],
      ],
      Desserts: [['Tiramisù', undefined, 7, 'EUR']],
    })
    expect(menu.confidence).toBeLessThan(0.95)
  })

  test('with name, description and price below each other, in either order', () => {
    const wanted = {
      Mains: [
        ['Cod', 'with peas', 14, 'GBP'],
        ['Lamb', 'with mint', 18, 'GBP'],
        ['Pie', 'with gravy', 11, 'GBP'],
      ],
    }
    const title = 'Our menu'
    const before = mains('Cod', 'with peas', '£14', 'Lamb', 'with mint', '£18', 'Pie', 'with gravy', '£11')
    expect(dishes(menuOf(before, { title }))).toEqual(wanted)
    const after = mains('Cod', '£14', 'with peas', 'Lamb', '£18', 'with mint', 'Pie', '£11', 'with gravy')
    expect(dishes(menuOf(after, { title }))).toEqual(wanted)
  })

  test('with prices in headings, and dishes in lines below them', () => {
    const menu = menuOf(
      `<h2>Burgers</h2><h4>Classic <i>$12</i></h4><p>Beef</p><h4>Veggie <i>$11.5</i></h4><h2>Sides</h2><h4>Fries $4</h4><p>Crispy</p><p>Slaw $3 / $5</p>`,
      { title: 'Menu' },
    )
    expect(dishes(menu)).toEqual({
      Burgers: [
        ['Classic', 'Beef', 12, 'USD'],
        ['Veggie', undefined, 11.5, 'USD'],
      ],
      Sides: [
        ['Fries', 'Crispy', 4, 'USD'],
        ['Slaw', undefined, 3, 'USD'],
      ],
    })
  })

  test('takes no dish without a price, no sentence and no hours', () => {
    const menu = menuOf(
      `<h1>Menu</h1><p>Open Monday 11.30 – 22.00</p><h2>Mains</h2><ul><li>Cod 14.50</li><li>Lamb</li><li>Pie (not vegan) 9.00</li><li>Stew 9.50</li></ul><p>We add a service charge of $5.</p>`,
    )
    expect(dishes(menu)).toEqual({
      Mains: [
        ['Cod', undefined, 14.5, undefined],
        ['Pie (not vegan)', undefined, 9, undefined],
        ['Stew', undefined, 9.5, undefined],
      ],
    })
    expect(menu.currency).toBeNull()
    expect(menu.sections[0]?.items.map(({ dietary }) => dietary)).toEqual([[], [], []])
  })

  test('says what stands in brackets of diets and calories, and tells equal names apart', () => {
    const menu = menuOf(`<h1>Menu</h1><ul><li>Pie (vegan, GF) 640 kcal £9</li><li>Pie £7</li><li>Ale £4</li></ul>`)
    expect(menu.sections[0]?.items).toMatchObject([
      { id: 'menu/pie-vegan-gf-640-kcal', dietary: ['vegan', 'gluten-free'], calories: 640 },
      { id: 'menu/pie', dietary: [] },
      { id: 'menu/ale' },
    ])
  })
})

test('sections that are named alike have ids of their own', () => {
  const hasMenuItem = ['Red', 'White', '🍷', '🍷'].map((name) => ({ '@type': 'MenuItem', name }))
  const hasMenuSection = ['Wine 2', 'Wine', 'Wine', 'Mains'].map((name) => ({
    '@type': 'MenuSection',
    name,
    hasMenuItem,
  }))
  const { sections } = menuOf('', { head: jsonLd({ '@type': 'Menu', hasMenuSection }) })
  expect(sections.map(({ id }) => id)).toEqual(['wine-2', 'wine', 'wine-3', 'mains'])
  const ids = sections.flatMap(({ id, items }) => [id, ...items.map((item) => item.id)])
  expect(new Set(ids).size).toBe(ids.length)
})

describe('no menu is', () => {
  test.each<[name: string, body: string]>([
    ['a page without prices', '<h1>Our menu</h1><p>Ask for our menu at the bar.</p>'],
    ['a price list of tools', '<h1>Hammers</h1><ul><li>Claw hammer €12</li><li>Mallet €9</li><li>Sledge €40</li></ul>'],
    ['the plans of a service', '<h2>Basic</h2><p>$9</p><h2>Team</h2><p>$29</p><h2>Business</h2><p>$99</p>'],
    ['a grocer', '<h2>Drinks</h2><ul><li>Cola €2</li><li>Juice €3</li></ul><h2>Pasta</h2><ul><li>Penne €1</li></ul>'],
    ['an empty page', ''],
  ])('%s', (_, body) => {
    const menu = menuOf(body, { title: 'Shop' })
    expect(menu).toMatchObject({ isMenu: false, sections: [], currency: null })
    expect(menu.confidence).toBeGreaterThanOrEqual(0.5)
  })
})
