import type { Media } from '../../core/media.ts'

type Facts = Readonly<Record<string, unknown>>

/** Output of `yt-dlp -J` for one address, as far as it is read; for a playlist its first entry counts. */
export function mediaIn(output: unknown): Media {
  if (!isFacts(output)) return {}
  const [entry = output] = listOf(output['entries']).filter(isFacts)
  const formats = [...listOf(entry['formats']).filter(isFacts), entry].filter(isPlayable)
  const audio = bestOf(formats.filter((each) => hasSound(each) && !hasPicture(each)))
  const video = bestOf(formats.filter(hasPicture))
  return { ...(audio !== undefined && { audio }), ...(video !== undefined && { video }) }
}

const isFacts = (value: unknown): value is Facts => typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, 1000) : [])

/** One address that any program can open: not in pieces, not locked, not a sheet of pictures. */
const isPlayable = ({ url, protocol, has_drm: isLocked, ext }: Facts) =>
  typeof url === 'string' &&
  /^https?:\/\//.test(url) &&
  isLocked !== true &&
  ext !== 'mhtml' &&
  !/segments|mhtml|websocket|rtmp|ism/.test(textOf(protocol))

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

const audioEndings = /^(?:mp3|m4a|aac|ogg|opus|flac|wav|weba)$/
/** Codecs are "none" where there is none, and absent where the site tells nothing of them. */
const hasPicture = ({ vcodec, ext }: Facts) =>
  textOf(vcodec) === '' ? !audioEndings.test(textOf(ext)) : vcodec !== 'none'
const hasSound = ({ acodec }: Facts) => acodec !== 'none'

const isStream = ({ protocol }: Facts) => /m3u8|dash/.test(textOf(protocol))

/** Sound with the picture before picture alone, a file before a stream, then the largest. */
function bestOf(formats: readonly Facts[]): string | undefined {
  const [best] = formats.toSorted(
    (one, other) =>
      Number(hasSound(other)) - Number(hasSound(one)) ||
      Number(isStream(one)) - Number(isStream(other)) ||
      numberOf(other['height']) - numberOf(one['height']) ||
      bitsOf(other) - bitsOf(one),
  )
  return best && textOf(best['url'])
}

const bitsOf = ({ tbr, abr }: Facts) => numberOf(tbr) || numberOf(abr)
