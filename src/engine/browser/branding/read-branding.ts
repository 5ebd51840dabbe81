import type { Branding } from '../../../schema/scrape/branding-schema.ts'
import { withDeadline } from '../../../util/async.ts'
import type { RawFacts, RawIcon } from '../../page-script/branding/logos.ts'
import type { Tab } from '../page/tab.ts'
import { buttonStyles, secondaryButton, borderOf, type ButtonStyle } from './buttons.ts'
import { blend, chromaOf, type Color, contrastOf, fromHex, luminanceOf, toHex, white } from './color.ts'
import { fontsOf, typographyOf } from './brand-fonts.ts'
import { densityOf, layoutOf, roundnessOf, spacingOf, isField } from './brand-layout.ts'
import { fitsInResultTwice, readLogo } from './logo.ts'
import {
  omitEmpty,
  backgroundOf,
  type ColorOf,
  colorReader,
  colorTexts,
  isIn,
  properties,
  type Sample,
  toSamples,
  paintOf,
  heaviest,
  tally,
  asColor,
  type Variables,
} from './samples.ts'
import { pageBackground, paletteOf } from './palette.ts'

type Button = NonNullable<NonNullable<Branding['components']>['input']>

function componentsOf(samples: readonly Sample[], first: ButtonStyle | undefined, second: ButtonStyle | undefined) {
  return omitEmpty({
    buttonPrimary: first && buttonOf(first),
    buttonSecondary: second && buttonOf(second),
    input: inputOf(samples),
  })
}

function buttonOf({ face, text, border, radius }: ButtonStyle): Button {
  return omitEmpty({
    background: toHex(face),
    textColor: toHex(text),
    borderColor: hexOf(border),
    borderRadius: radius,
  })
}

function inputOf(samples: readonly Sample[]): Button | undefined {
  const fields = samples.filter((sample) => isField(sample) && !isIn(sample, 'overlay')).map(fieldStyle)
  const most = heaviest(fields, (style) => JSON.stringify(style))
  return fields.find((style) => JSON.stringify(style) === most)
}

/** Returns the style of a field, or of the box around a field without any style. */
function fieldStyle(field: Sample): Button {
  const around = field.parent
  const isBare =
    !borderOf(field, backgroundOf(field.parent) ?? white) && field.px('border-bottom-width') < 1 && !paintOf(field)
  const shown = isBare && around && around.box.height <= field.box.height + 40 ? around : field
  const background = backgroundOf(shown.parent) ?? white
  const face = backgroundOf(shown) ?? background
  const text = field.color('color')
  return omitEmpty({
    background: toHex(face),
    textColor: text && toHex(blend(text, face)),
    borderColor: hexOf(borderOf(shown, background)),
    borderRadius: shown.css('border-top-left-radius') || undefined,
  })
}

const hexOf = (color: Color | undefined) => color && toHex(color)

const readMs = 10_000
const walkLimits = { elements: 6000, samples: 1200, ms: 300, always: 300 }
const maxVariables = 150

/** Measures the design of a page without a model: colours as #RRGGBB, lengths in CSS pixels. Has a time limit. */
export function readBranding(tab: Tab, signal: AbortSignal): Promise<Branding> {
  return withDeadline({ step: 'read the design', ms: readMs }, signal, (within) => read(tab, within))
}

async function read(tab: Pick<Tab, 'call'>, signal: AbortSignal): Promise<Branding> {
  const facts = await tab.call('pageFacts', [], signal)
  const variables = await tab.call('styleVariables', [maxVariables], signal)
  const raw = await tab.call('sampleElements', [properties, walkLimits], signal)
  const texts = [...colorTexts(raw), ...variables.map(([, value]) => asColor(value)), facts.themeColor]
  const colorOf = await colorReader(tab, texts, signal)
  const logo = await readLogo(tab, facts, signal)
  return brandingOf(toSamples(raw, colorOf), { ...facts, variables, logo }, colorOf)
}

function brandingOf(
  samples: readonly Sample[],
  facts: RawFacts & { variables: Variables; logo: string | undefined },
  colorOf: ColorOf,
): Branding {
  const { viewport, icons, url, ogImage, variables, logo } = facts
  const background = pageBackground(samples, viewport)
  const buttons = buttonStyles(samples, viewport)
  const first = buttons.find(({ isFilled }) => isFilled) ?? buttons[0]
  const second = first && secondaryButton(buttons, first)
  const colors = paletteOf({
    samples,
    background,
    buttons,
    secondary: second,
    variables,
    themeColor: colorOf(facts.themeColor),
    colorOf,
  })
  const spacing = spacingOf(samples, buttons)
  return omitEmpty({
    colorScheme: luminanceOf(background) < 0.2 ? 'dark' : 'light',
    logo,
    colors,
    fonts: fontsOf(samples),
    typography: typographyOf(samples),
    spacing,
    components: componentsOf(samples, first, second),
    icons: iconsOf(samples, icons),
    images: omitEmpty({
      logo: logo !== undefined && fitsInResultTwice(logo) ? logo : undefined,
      favicon: bestFavicon(icons, url),
      ogImage: ogImage || undefined,
    }),
    animations: motionOf(samples),
    layout: layoutOf(samples, viewport),
    personality: personalityOf(samples, background, colors, spacing.borderRadius),
  })
}

function personalityOf(
  samples: readonly Sample[],
  background: Color,
  { textPrimary, primary, accent }: NonNullable<Branding['colors']>,
  radius: string | undefined,
) {
  return omitEmpty({
    density: densityOf(samples),
    roundness: roundnessOf(radius),
    contrast: textPrimary === undefined ? undefined : contrastLevel(fromHex(textPrimary), background),
    colorfulness: colorfulness([primary, accent].filter((hex) => hex !== undefined).map(fromHex)),
  })
}

function contrastLevel(text: Color, background: Color): 'low' | 'medium' | 'high' {
  const contrast = contrastOf(text, background)
  return contrast < 7 ? 'low' : contrast < 13 ? 'medium' : 'high'
}

function colorfulness(colors: readonly Color[]): 'monochrome' | 'restrained' | 'vivid' {
  const chroma = Math.max(0, ...colors.map(chromaOf))
  return chroma < 0.06 ? 'monochrome' : chroma < 0.13 ? 'restrained' : 'vivid'
}

/** Returns transitions shared by several elements; only the first entry of a list counts. */
export function motionOf(samples: readonly Sample[]): NonNullable<Branding['animations']> {
  const moving = samples.filter((sample) => sample.px('transition-duration') > 0)
  const repeated = (valueOf: (sample: Sample) => string | undefined) => {
    const [most] = tally(moving, valueOf)
    return most && most[1] > 1 ? most[0] : undefined
  }
  return omitEmpty({
    transitionDuration: repeated((sample) => sample.css('transition-duration').split(',')[0]),
    easing: repeated((sample) =>
      sample
        .css('transition-timing-function')
        .split(/,(?![^(]*\))/)[0]
        ?.trim(),
    ),
  })
}

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

function iconsOf(samples: readonly Sample[], favicons: readonly RawIcon[]): NonNullable<Branding['icons']> {
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
      iconColor,
    ),
    favicons: listed.map(({ href, rel, sizes, type }) => ({
      href,
      rel,
      ...(sizes && { sizes }),
      ...(type && { type }),
    })),
  })
}

/** Outline icons have a stroke and no fill. */
const styleOf = (svg: Sample) => (svg.css('fill') === 'none' && svg.css('stroke') !== 'none' ? 'outline' : 'filled')

function iconColor(icon: Sample): string | undefined {
  const background = backgroundOf(icon)
  const paint =
    icon.tag === 'i'
      ? icon.color('color')
      : (icon.color(styleOf(icon) === 'outline' ? 'stroke' : 'fill') ?? icon.color('color'))
  return background && paint && toHex(blend(paint, background))
}

/** Returns the most detailed icon (home screen icons only if there are no others), or the default URL of browsers. */
export function bestFavicon(icons: readonly RawIcon[], pageUrl: string): string | undefined {
  const usable = icons.filter(({ href }) => href !== '' && href.length <= 2000)
  const small = usable.filter(({ rel }) => !rel.includes('apple'))
  const best = (small.length > 0 ? small : usable).toSorted((one, other) => detailOf(other) - detailOf(one))[0]
  return best?.href ?? (/^https?:/.test(pageUrl) ? new URL('/favicon.ico', pageUrl).href : undefined)
}

const detailOf = ({ sizes, type, href }: RawIcon) =>
  type.includes('svg') || /\.svg(?:$|\?)/.test(href) ? 10_000 : Number.parseInt(sizes, 10) || 16
