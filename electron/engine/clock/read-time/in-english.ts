import { chineseNumber, numberOf } from './said.ts'

/**
 * Times in German, French, Spanish and Japanese, written in the English words that are read: so the same rules hold,
 * repeats are said as well, and no parser of chrono's has to be compiled for each, which takes 0.2 s of the engine.
 */
interface Tongue {
  /** in order, each on what the one before made of the text */
  phrases: readonly (readonly [RegExp, string])[]
  words: ReadonlyMap<string, string>
}

const weekdays = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const months = 'january february march april may june july august september october november december'.split(' ')
const inOrder = (english: readonly string[], own: string): string =>
  own
    .split(' ')
    .map((word, i) => `${word} ${english[i % english.length] ?? ''}`)
    .join(',')
/** `own english, own english`; a word alone means nothing here */
const wordsOf = (...lists: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    lists
      .join(',')
      .split(',')
      .map((pair) => pair.trim())
      .map((pair) => [pair.split(' ')[0] ?? '', pair.split(' ').slice(1).join(' ')]),
  )

const german: Tongue = {
  phrases: [
    [/\bende des (?:arbeits)?tage?s\b|\bfeierabend\b/g, '17:00'],
    [/\bheute (?:früh|morgen|vormittag)\b/g, 'this morning'],
    [/\bmorgen (?:früh|vormittag)\b/g, 'tomorrow morning'],
    [/\bheute nacht\b/g, 'tonight'],
    [/\beine[rn]? halben? stunde\b|\beiner halben stunde\b/g, '30 minutes'],
    [/\b(?:eine[rn]?|1) (?=stunde|minute|woche|sekunde)/g, '1 '],
    [/\beine[mn]? (?=tag|monat)/g, '1 '],
    [/\b(\d{1,2})[.:](\d{2})(?: uhr\b|(?= |$))/g, '$1:$2'],
    [/\b(\d{1,2}) uhr (\d{1,2})\b/g, '$1:$2'],
    [/\b(\d{1,2}) uhr\b/g, '$1:00'],
    [/\b(\d{1,2})\. (?=\p{L})/gu, '$1 '],
    [/\b(\d+) ?mal\b/g, '$1 times'],
    [/\balle (?=\d)/g, 'every '],
    [/\btäglich\b/g, 'every day'],
    [/\bmonatlich\b|\bjeden monat\b/g, 'every month'],
    [/\b(?:werktags|jeden werktag)\b/g, 'every weekday'],
  ],
  words: wordsOf(
    inOrder(weekdays, 'sonntag montag dienstag mittwoch donnerstag freitag samstag'),
    inOrder(months, 'januar februar märz april mai juni juli august september oktober november dezember'),
    'sonnabend saturday,jänner january,um at,am on,in in,ab from,bis until,heute today,morgen tomorrow',
    'übermorgen day after tomorrow,mittag noon,mittags noon,mitternacht midnight,abend evening,abends evening',
    'morgens morning,früh morning,vormittag morning,vormittags morning,nachmittag afternoon,nachmittags afternoon',
    'nacht night,nächste next,nächsten next,nächster next,nächstes next,kommenden next,kommende next',
    'diesen this,diese this,dieser this,jeden every,jede every,jedes every,und and,der,den,dem,die,das,gegen',
    'sekunde second,sekunden seconds,minute minute,minuten minutes,stunde hour,stunden hours,tag day,tage days',
    'tagen days,woche week,wochen weeks,monat month,monate months,monaten months,min min,std hours,lang,für for',
    'zwei 2,drei 3,vier 4,fünf 5,sechs 6,sieben 7,acht 8,neun 9,zehn 10,elf 11,zwölf 12,zwanzig 20,dreißig 30',
  ),
}

const french: Tongue = {
  phrases: [
    [/\bfin de (?:la )?journée\b/g, '17:00'],
    [/\baujourd['’]hui\b/g, 'today'],
    [/\baprès[- ]demain\b/g, 'day after tomorrow'],
    [/\bapr[èe]s-midi\b/g, 'afternoon'],
    [/\bce soir\b/g, 'this evening'],
    [/\bcette nuit\b/g, 'tonight'],
    [/\bune demi-heure\b/g, '30 minutes'],
    [/\bun quart d['’]heure\b/g, '15 minutes'],
    [/\b(dans|toutes les|pendant) (\d+) ?h(?:eures?)?\b/g, '$1 $2 hours'],
    [/\b(\d{1,2}) ?h(?:eures?)? ?(\d{2})\b/g, '$1:$2'],
    [/\b(\d{1,2}) ?h(?:eures?)? et demie\b/g, '$1:30'],
    [/\b(\d{1,2}) ?h(?:eures?)? et quart\b/g, '$1:15'],
    [/(?<!\b(?:dans|toutes les|pendant) )\b(\d{1,2}) ?h(?:eures?)?(?=$| )/g, '$1:00'],
    [/\b(?:tous les jours|chaque jour) (?:ouvrés?|ouvrables?)\b/g, 'every weekday'],
    [/\b(?:tous les|toutes les) jours\b/g, 'every day'],
    [/\btous les (\p{L}+di)s\b/gu, 'every $1'],
    [/\b(?:tous les mois|chaque mois)(?: le (?=\d))?/g, 'every month on '],
    [/\bevery month on (?!\d)/g, 'every month '],
    [/\b(?:tous|toutes) les\b/g, 'every'],
    [/\b(\p{L}+di|dimanche) prochain\b/gu, 'next $1'],
    [/\b(\d+) fois\b/g, '$1 times'],
    [/\bl['’]/g, ''],
    [/\b1er\b/g, '1'],
  ],
  words: wordsOf(
    inOrder(weekdays, 'dimanche lundi mardi mercredi jeudi vendredi samedi'),
    inOrder(months, 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'),
    'à at,vers at,demain tomorrow,midi noon,minuit midnight,matin morning,soir evening,nuit night,ce this,cet this',
    'cette this,chaque every,dans in,en in,pendant for,et and,le,la,les,du,de,au,un 1,une 1,deux 2,trois 3,quatre 4',
    "cinq 5,six 6,sept 7,huit 8,neuf 9,dix 10,onze 11,douze 12,quinze 15,vingt 20,trente 30,jusqu'à until",
    'jusqu’à until,seconde second,secondes seconds,minute minute,minutes minutes,min min,heure hour,heures hours',
    'jour day,jours days,semaine week,semaines weeks,mois months',
  ),
}

const spanish: Tongue = {
  phrases: [
    [/\b(?:al )?fin(?:al)? del día\b/g, '17:00'],
    [/\bpasado mañana\b/g, 'day after tomorrow'],
    [/\besta noche\b/g, 'tonight'],
    [/\besta mañana\b/g, 'this morning'],
    [/\b(\d{1,2}) y media\b/g, '$1:30'],
    [/\b(\d{1,2}) y cuarto\b/g, '$1:15'],
    [/\b(\d{1,2}(?::\d{2})?) de la mañana\b/g, '$1 am'],
    [/\b(\d{1,2}(?::\d{2})?) de la (?:tarde|noche)\b/g, '$1 pm'],
    [/\b(?:por|en) la mañana\b/g, 'morning'],
    [/\b(?:por|en) la tarde\b/g, 'afternoon'],
    [/\b(?:por|en) la noche\b/g, 'evening'],
    [/\bmedia hora\b/g, '30 minutes'],
    [/\b(?:todos los días|cada día) laborables?\b/g, 'every weekday'],
    [/\btodos los (?:días|dias)\b/g, 'every day'],
    [/\b(?:todos los meses|cada mes)\b/g, 'every month'],
    [/\btodos los\b/g, 'every'],
    [/\b(\p{L}+) que viene\b/gu, 'next $1'],
    [/\b(?:el )?próximo\b/g, 'next'],
    [/\bdentro de\b/g, 'in'],
    [/\b(\d+) veces\b/g, '$1 times'],
  ],
  words: wordsOf(
    inOrder(weekdays, 'domingo lunes martes miércoles jueves viernes sábado'),
    inOrder(months, 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'),
    'miercoles wednesday,sabado saturday,hoy today,mañana tomorrow,mediodía noon,medianoche midnight,tarde afternoon',
    'noche night,esta this,este this,cada every,en in,durante for,hasta until,a at,y and,el,la,los,las,de,del,un 1',
    'una 1,dos 2,tres 3,cuatro 4,cinco 5,seis 6,siete 7,ocho 8,nueve 9,diez 10,once 11,doce 12,quince 15,veinte 20',
    'treinta 30,segundo second,segundos seconds,minuto minute,minutos minutes,min min,hora hour,horas hours,día day',
    'días days,dia day,dias days,semana week,semanas weeks,mes month,meses months',
  ),
}

const japanese: readonly (readonly [RegExp, string])[] = [
  [/(?:今日の)?(?:一日の終わり|終業|定時)/g, ' 17:00 '],
  [/今から/g, ''],
  [/(\d+)時間半後/g, ' in $1.5 hours '],
  [/半時間後/g, ' in 30 minutes '],
  [/(\d+)(?:秒)後/g, ' in $1 seconds '],
  [/(\d+)分後/g, ' in $1 minutes '],
  [/(\d+)時間後/g, ' in $1 hours '],
  [/(\d+)日後/g, ' in $1 days '],
  [/(\d+)週間後/g, ' in $1 weeks '],
  [/(\d+)(?:か|ヶ|ケ|カ|箇)月後/g, ' in $1 months '],
  [/(\d+)分(?:ごと|おき|毎)/g, ' every $1 minutes '],
  [/(\d+)時間(?:ごと|おき|毎)/g, ' every $1 hours '],
  [/(\d+)回/g, ' $1 times '],
  [/毎月(\d{1,2})日/g, ' every month on the $1th '],
  [/毎月/g, ' every month '],
  [/毎日/g, ' every day '],
  [/毎朝/g, ' every morning '],
  [/毎晩/g, ' every evening '],
  [/(?:毎)?平日(?:毎日)?/g, ' every weekday '],
  [/毎週(?=.曜)/g, ' every '],
  [/(?:来週|次)の?(?=.曜)/g, ' next '],
  [/今週の?(?=.曜)/g, ' this '],
  [/明後日|あさって/g, ' day after tomorrow '],
  [/明朝/g, ' tomorrow morning '],
  [/明日|あした|あす/g, ' tomorrow '],
  [/今夜|今晩/g, ' tonight '],
  [/今日|きょう|本日/g, ' today '],
  [/正午/g, ' noon '],
  [/(?:午前|朝の?)(\d{1,2})(?:時|:)(\d{1,2})分?/g, ' $1:$2 am '],
  [/(?:午前|朝の?)(\d{1,2})時半/g, ' $1:30 am '],
  [/(?:午前|朝の?)(\d{1,2})時/g, ' $1 am '],
  [/(?:午後|夕方の?|夜の?)(\d{1,2})(?:時|:)(\d{1,2})分?/g, ' $1:$2 pm '],
  [/(?:午後|夕方の?|夜の?)(\d{1,2})時半/g, ' $1:30 pm '],
  [/(?:午後|夕方の?|夜の?)(\d{1,2})時/g, ' $1 pm '],
  [/(\d{1,2})時半/g, ' $1:30 '],
  [/(\d{1,2})時(\d{1,2})分/g, ' $1:$2 '],
  [/(\d{1,2})時/g, ' $1:00 '],
  ...weekdays.map((name, i) => [new RegExp(`${'日月火水木金土'[i] ?? ''}曜日?`, 'g'), ` ${name} `] as const),
  ...months.map((name, i) => [new RegExp(`(?<!\\d)${i + 1}月(\\d{1,2})日`, 'g'), ` ${name} $1 `] as const),
  [/[のにでは、,]/g, ' '],
]

const replaced = (text: string, phrases: Tongue['phrases']): string =>
  phrases.reduce((so, [from, to]) => so.replace(from, to), text)
const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Every word has to be known: half a translation may say another time. */
function translated(text: string, { phrases, words }: Tongue): string | null {
  const known = new Set(phrases.flatMap(([, to]) => to.match(/[a-z]+/g) ?? []))
  const said: string[] = []
  for (const word of replaced(text, phrases).split(/[\s,]+/)) {
    const own = words.get(word)
    if (own === undefined && !/^[\d:]+$/.test(word) && !known.has(word)) return null
    if (own !== '') said.push(own ?? word)
  }
  return said.join(' ')
}

/** Returns the ways a text may be meant in English; none where it is in no language of these. Of a cleaned text. */
export function inEnglish(text: string): readonly string[] {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) {
    const digits = text.replace(new RegExp(`${chineseNumber}(?=時|分|秒|週間|回)`, 'gu'), (own) => `${numberOf(own)}`)
    const english = inOneLine(replaced(digits, japanese))
    return /^[a-z\d:. ]+$/.test(english) ? [english] : []
  }
  // “14h30” alone is a span to some.
  if (!/\p{L}{2}/u.test(text)) return []
  return [german, french, spanish].flatMap((tongue) => {
    const english = translated(text, tongue)
    return english === null || english === text ? [] : [inOneLine(english)]
  })
}

/** It may be part of a time in one of these languages. */
export const isForeign = (word: string): boolean =>
  [german, french, spanish].some(({ words }) => words.has(word)) || /^[\p{Script=Hiragana}後曜毎週明朝夜晩]/u.test(word)
