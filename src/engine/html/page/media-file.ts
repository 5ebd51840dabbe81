/** A URL that a page names as audio or video, as written. */
export type NamedMedia = {
  source: unknown
  /** Media type stated by the page. */
  type?: string | null | undefined
  /** Fallback if neither media type nor file extension identifies the kind. */
  kind: 'audio' | 'video' | undefined
  origin: 'player' | 'decoration' | 'data' | 'openGraph' | 'card' | 'link' | 'anchor'
  /** Vertical resolution, in pixels. */
  size?: number
}

/** Type of a file, judged by its extension and media type. */
type MediaFile = {
  kind: 'audio' | 'video' | undefined
  /** Lower is better: a widely supported format, another format, unknown, a playlist. */
  rank: number
  /** True for a streaming manifest (HLS, DASH), which may be audio or video. */
  isPlaylist: boolean
}

const audioEndings = /\.(?:mp3|m4a|m4b|aac|oga|ogg|opus|flac|wav|weba|wma|aiff?)$/i
const videoEndings = /\.(?:mp4|m4v|webm|ogv|mov|mkv|avi|mpe?g|wmv|3gp|flv)$/i
const playlists = /\.(?:m3u8|mpd)$/i
const playlistTypes = /^(?:application|audio)\/(?:vnd\.apple\.mpegurl|x-mpegurl|mpegurl|dash\+xml)/i
const widely = /\.(?:mp3|m4a|mp4|m4v)$/i
const widelyTypes = /^(?:audio\/(?:mpeg|mp3|mp4|x-m4a|aac)|video\/mp4)\b/i

const usual = 0
const unusual = 1
export const unsure = 2
const playlist = 3

/** @param type media type stated by the page, which decides before the file extension whether it is audio or video. */
export function mediaFile(address: string, type: string | null | undefined): MediaFile {
  const path = URL.parse(address)?.pathname ?? ''
  const mediaType = type?.trim() ?? ''
  if (playlistTypes.test(mediaType) || playlists.test(path))
    return { kind: undefined, rank: playlist, isPlaylist: true }
  const isUsual = widely.test(path) || widelyTypes.test(mediaType)
  const kind = kindOfType(mediaType) ?? kindOfPath(path)
  return { kind, rank: isUsual ? usual : kind ? unusual : unsure, isPlaylist: false }
}

function kindOfType(type: string): MediaFile['kind'] {
  return /^audio\//i.test(type) ? 'audio' : /^video\//i.test(type) ? 'video' : undefined
}

function kindOfPath(path: string): MediaFile['kind'] {
  return audioEndings.test(path) ? 'audio' : videoEndings.test(path) ? 'video' : undefined
}
