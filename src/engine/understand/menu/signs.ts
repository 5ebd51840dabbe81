import type { MenuCourse } from '../../../contracts/profiles/menu.ts'

const words = (text: string) => new RegExp(String.raw`(?<![\p{L}\d])(?:${text})(?![\p{L}\d])`, 'iu')

/** What a menu is called. "Carte" alone is also a card, of graphics or for paying. */
const menuName = words(
  'menus?|menú|menù|menü|menükarte|speise(?:n)?karte|getränkekarte|weinkarte|(?:la|notre|à la) carte|carta|cardápio|ementa|menukaart|menukort|meny|jídelní lístek|étlap|メニュー|お品書き|菜单|菜單|메뉴|меню',
)
/** Parts of a meal: no shop sorts its goods by them. */
const course = words(
  'starters?|appeti[sz]ers?|mains?|main (?:courses?|dishes)|entrées?|entrees?|small plates|large plates|sides|side dishes|desserts?|brunch|kids.? menu|antipasti|primi(?: piatti)?|secondi(?: piatti)?|contorni|dolci|vorspeisen?|hauptspeisen?|hauptgerichte?|hauptgang|nachspeisen?|nachtisch|desserts|beilagen|plats|hors.d.œuvres?|entrantes|platos(?: principales)?|postres|entradas|pratos(?: principais)?|sobremesas|voorgerechten|hoofdgerechten|nagerechten|förrätter|varmrätter|efterrätter|前菜|主菜|甜点|закуски|десерты',
)
/** What is eaten and drunk; a grocer has it too. */
const food = words(
  'breakfast|lunch|dinner|soups?|salads?|pizzas?|pizze|pastas?|burgers?|sandwich(?:es)?|drinks?|beverages|wines?|beers?|cocktails?|coffees?|teas?|tacos|sushi|ramen|curries|seafood|grill|suppen|salate|getränke|weine|biere|burger|nudeln|soupes|salades|boissons|vins|bières|sopas|ensaladas|bebidas|vinos|insalate|zuppe|bevande|vini|pesce|carne|ドリンク|饮料|напитки|супы|салаты',
)

/** What tells that a page is a restaurant's. */
type Hints = { isRestaurant: boolean; titles: readonly string[] }

const minDishes = 3

/** Whether priced lists are a menu, and how sure that is: a price list of tools has the same form. */
export function judgeCourses(
  courses: readonly MenuCourse[],
  { isRestaurant, titles }: Hints,
): { isMenu: boolean; confidence: number } {
  const dishes = courses.reduce((sum, each) => sum + each.dishes.length, 0)
  if (dishes === 0) return { isMenu: false, confidence: isRestaurant ? 0.8 : 0.9 }
  const names = courses.map(({ name = '' }) => name)
  const isCalledMenu = titles.some((title) => menuName.test(title)) || names.some((name) => menuName.test(name))
  const isMeal = names.some((name) => course.test(name))
  const isFood = names.filter((name) => course.test(name) || food.test(name)).length > 1
  const signs = [isRestaurant, isCalledMenu, isMeal, isFood].filter(Boolean).length
  const isMenu = dishes >= minDishes && (isRestaurant || isCalledMenu || (isMeal && isFood))
  return isMenu
    ? { isMenu, confidence: [0.6, 0.6, 0.75, 0.85, 0.9][signs] ?? 0.6 }
    : { isMenu, confidence: signs > 0 ? 0.5 : 0.7 }
}
