import type { Branding } from '../../../schema/scrape/branding.ts'
import type { RawIcon } from '../../page-script/branding/facts.ts'
import { blend, toHex } from './color.ts'
import { omitEmpty } from './omit-empty.ts'
import { backgroundOf, isIn, type Sample } from './samples.ts'
import { heaviest } from './tally.ts'

const libraries: readonly (readonly [name: string, hint: RegExp])[] = [
  ['Lucide', /\blucide\b/],
  ['Font Awesome', /\bfa[srlbd]?\b|\bfa-\w|svg-inline--fa/],
  ['Bootstrap Icons', /\bbi-\w/],
  ['Material Icons', /material-icons|material-symbols|MuiSvgIcon/],
  ['Remix Icon', /\bri-\w+-(?:line|fill)/],
  ['Tabler Icons', /\btabler-icon\b|\bti-\w/],
  ['Feather', /\bfeather\b/],
  ['Heroicons', /\bheroicon/],
  ['Phosphor', /\bph-\w/],
  ['Octicons', /\bocticon/],
  ['Ant Design', /\banticon\b/],
]

export function iconsOf(samples: readonly Sample[], favicons: readonly RawIcon[]): NonNullable<Branding['icons']> {
  const icons = samples.filter(
    ({ tag, box, hint }) => box.width <= 48 && box.height <= 48 && (tag === 'svg' || (tag === 'i' && hint !== '')),
  )
  const drawn = icons.filter(({ tag }) => tag === 'svg')
  const listed = favicons.filter(({ href }) => href !== '' && href.length <= 500).slice(0, 10)
  return omitEmpty({
    style: drawn.length >= 2 ? heaviest(drawn, styleOf) : undefined,
    library: heaviest(icons, ({ hint }) => libraries.find(([, pattern]) => pattern.test(hint))?.[0]),
    primaryColor: heaviest(
      icons.filter((icon) => !isIn(icon, 'overlay', 'footer')),
      colorOf,
    ),
    favicons: listed.map(({ href, rel, sizes, type }) => ({
      href,
      rel,
      ...(sizes && { sizes }),
      ...(type && { type }),
    })),
  })
}

/** Outlines are drawn with a stroke and left empty. */
const styleOf = (svg: Sample) => (svg.css('fill') === 'none' && svg.css('stroke') !== 'none' ? 'outline' : 'filled')

function colorOf(icon: Sample): string | undefined {
  const background = backgroundOf(icon)
  const paint =
    icon.tag === 'i'
      ? icon.color('color')
      : (icon.color(styleOf(icon) === 'outline' ? 'stroke' : 'fill') ?? icon.color('color'))
  return background && paint && toHex(blend(paint, background))
}

/** The icon with most detail that is not made for a home screen; else that one; else the address every browser tries. */
export function bestFavicon(icons: readonly RawIcon[], pageUrl: string): string | undefined {
  const usable = icons.filter(({ href }) => href !== '' && href.length <= 2000)
  const small = usable.filter(({ rel }) => !rel.includes('apple'))
  const best = (small.length > 0 ? small : usable).toSorted((one, other) => detailOf(other) - detailOf(one))[0]
  return best?.href ?? (/^https?:/.test(pageUrl) ? new URL('/favicon.ico', pageUrl).href : undefined)
}

const detailOf = ({ sizes, type, href }: RawIcon) =>
  type.includes('svg') || /\.svg(?:$|\?)/.test(href) ? 10_000 : Number.parseInt(sizes, 10) || 16
