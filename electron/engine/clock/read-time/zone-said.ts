/** A text without the place in it, and that place's zone; null: the text names none. */
export interface ZoneSaid {
  rest: string
  /** IANA name */
  zone: string
}

/** “fri 5pm New York”, “9:00 in Tokyo”, “tokyo time 9:00”, “9:00 (Europe/Berlin)”, “纽约时间周五下午5点”. Of a cleaned text. */
export const zoneSaid = (text: string): ZoneSaid | null => chinese(text) ?? behind(text) ?? before(text)

let hanNames: RegExp | undefined
function chinese(text: string): ZoneSaid | null {
  if (!/\p{Script=Han}/u.test(text)) return null
  hanNames ??= new RegExp(
    `[ ,(]*(${[...cities().keys()]
      .filter((name) => /^\p{Script=Han}+$/u.test(name))
      .toSorted((a, b) => b.length - a.length)
      .join('|')})(?:当地)?(?:时间)?[ ,)]*的?`,
    'u',
  )
  const found = hanNames.exec(text)
  const zone = cities().get(found?.[1] ?? '')
  if (!found || zone === undefined) return null
  return { rest: (text.slice(0, found.index) + text.slice(found.index + found[0].length)).trim(), zone }
}

/** The longest name wins: “new york” is no “york”. */
function behind(text: string): ZoneSaid | null {
  const words = text.split(' ')
  for (let from = 1; from < words.length; from++) {
    const zone = zoneOf(words.slice(from).join(' '))
    if (zone !== null) return { rest: words.slice(0, from).join(' ').replace(/,$/, ''), zone }
  }
  return null
}

function before(text: string): ZoneSaid | null {
  const words = text.split(' ')
  for (let to = words.length - 1; to > 0; to--) {
    const zone = zoneOf(words.slice(0, to).join(' '))
    if (zone !== null) return { rest: words.slice(to).join(' '), zone }
  }
  return null
}

function zoneOf(said: string): string | null {
  const name = said
    .replace(/^\((.*)\)$/, '$1')
    .replace(/^in /, '')
    .replace(/ (?:local )?time,?$/, '')
    .replace(/,$/, '')
  return cities().get(name) ?? null
}

/** Cities by the names people give them, where the zone's own name is another city's or in another language. */
const others: Readonly<Record<string, string>> = {
  'Asia/Shanghai': 'beijing shenzhen guangzhou hangzhou chengdu 北京 上海 深圳 广州 杭州 成都 中国',
  'Asia/Hong_Kong': '香港',
  'Asia/Taipei': '台北',
  'Asia/Tokyo': 'osaka kyoto 东京 大阪 日本',
  'Asia/Seoul': '首尔 韩国',
  'Asia/Singapore': '新加坡',
  'Asia/Bangkok': '曼谷',
  'Asia/Dubai': '迪拜',
  'Asia/Kolkata':
    'kolkata calcutta mumbai delhi new_delhi bangalore bengaluru hyderabad chennai pune 孟买 新德里 班加罗尔 印度',
  'Asia/Kathmandu': 'kathmandu katmandu',
  'Asia/Ho_Chi_Minh': 'ho_chi_minh ho_chi_minh_city saigon hanoi 胡志明市 河内',
  'Asia/Jerusalem': 'tel_aviv 特拉维夫 耶路撒冷',
  'Europe/London': '伦敦 英国',
  'Europe/Paris': 'lyon 巴黎 法国',
  'Europe/Berlin': 'munich hamburg frankfurt cologne 柏林 慕尼黑 法兰克福 汉堡 德国',
  'Europe/Zurich': 'geneva zürich 苏黎世 日内瓦',
  'Europe/Vienna': '维也纳',
  'Europe/Rome': 'milan 罗马 米兰',
  'Europe/Madrid': 'barcelona 马德里 巴塞罗那',
  'Europe/Amsterdam': '阿姆斯特丹',
  'Europe/Stockholm': '斯德哥尔摩',
  'Europe/Kyiv': 'kyiv kiev 基辅',
  'Europe/Moscow': '莫斯科',
  'Europe/Istanbul': '伊斯坦布尔',
  'America/New_York': 'boston philadelphia atlanta miami 纽约 波士顿 华盛顿',
  'America/Chicago': 'dallas houston austin 芝加哥 休斯顿 达拉斯',
  'America/Denver': '丹佛',
  'America/Los_Angeles': 'san_francisco seattle san_diego las_vegas 洛杉矶 旧金山 西雅图 硅谷',
  'America/Toronto': 'montreal ottawa 多伦多',
  'America/Vancouver': '温哥华',
  'America/Mexico_City': '墨西哥城',
  'America/Sao_Paulo': 'são_paulo rio_de_janeiro 圣保罗',
  'America/Argentina/Buenos_Aires': 'buenos_aires',
  'Australia/Sydney': 'canberra 悉尼',
  'Australia/Melbourne': '墨尔本',
  'Pacific/Auckland': 'wellington 奥克兰',
}

/** Words of other meaning, and cities with a better known namesake in another zone. */
const unused = new Set(['center', 'easter', 'wake', 'midway', 'troll', 'san juan', 'cordoba', 'la rioja', 'eastern'])

let known: ReadonlyMap<string, string> | undefined

/** IANA names by what people call them: “new york”, “纽约”, “america/new_york”. Lower case. */
export function cities(): ReadonlyMap<string, string> {
  if (known) return known
  const found = new Map<string, string>()
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    found.set(zone.toLowerCase(), zone)
    const city = zone.split('/').slice(1).at(-1)?.replaceAll('_', ' ').toLowerCase()
    if (city !== undefined && !unused.has(city)) found.set(city, zone)
  }
  for (const [zone, names] of Object.entries(others)) {
    found.set(zone.toLowerCase(), zone)
    for (const name of names.split(' ')) found.set(name.replaceAll('_', ' '), zone)
  }
  return (known = found)
}
