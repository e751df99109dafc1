/** A day of the proleptic Gregorian calendar; months and days count from 1. */
export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** A day in the ISO week calendar; weekday 1 is Monday, 7 is Sunday. */
export interface WeekDate {
  readonly weekYear: number;
  readonly week: number;
  readonly weekday: number;
}

const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

export function daysInYear(year: number): number {
  return isLeapYear(year) ? 366 : 365;
}

export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0);
}

/** Day of the year, 1 to 366. */
export function dayOfYear({ year, month, day }: CalendarDate): number {
  return (DAYS_BEFORE_MONTH[month - 1] ?? 0) + day + (month > 2 && isLeapYear(year) ? 1 : 0);
}

/** Days from 1970-01-01 to the first of January of that year. */
function daysBeforeYear(year: number): number {
  const past = year - 1;
  return past * 365 + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400) - 719_162;
}

/** Days since 1970-01-01 of a day given by its ordinal within the year. */
export function epochDayOfOrdinal(year: number, ordinal: number): number {
  return daysBeforeYear(year) + ordinal - 1;
}

/** Days since 1970-01-01. */
export function epochDay(date: CalendarDate): number {
  return epochDayOfOrdinal(date.year, dayOfYear(date));
}

/** The calendar date of a day counted from 1970-01-01. */
export function calendarDate(day: number): CalendarDate {
  // 146,097 days make 400 years; the estimate is off by one year at most.
  let year = Math.floor((day + 719_162) / (146_097 / 400)) + 1;
  if (daysBeforeYear(year) > day) year -= 1;
  else if (daysBeforeYear(year + 1) <= day) year += 1;
  let remaining = day - daysBeforeYear(year);
  let month = 1;
  while (remaining >= daysInMonth(year, month)) {
    remaining -= daysInMonth(year, month);
    month += 1;
  }
  return { year, month, day: remaining + 1 };
}

/** 1 (Monday) to 7 (Sunday); 1970-01-01 was a Thursday. */
function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** Monday of week 1: the week that holds the year's fourth of January. */
function firstWeekStart(weekYear: number): number {
  const fourth = epochDayOfOrdinal(weekYear, 4);
  return fourth - (weekdayOf(fourth) - 1);
}

export function weeksInYear(weekYear: number): number {
  return (firstWeekStart(weekYear + 1) - firstWeekStart(weekYear)) / 7;
}

/** The ISO week date of a day counted from 1970-01-01. */
export function weekDate(day: number): WeekDate {
  const weekday = weekdayOf(day);
  // A week belongs to the year of its Thursday.
  const weekYear = calendarDate(day - weekday + 4).year;
  return { weekYear, week: Math.floor((day - firstWeekStart(weekYear)) / 7) + 1, weekday };
}

/** Days since 1970-01-01 of an ISO week date. */
export function epochDayOfWeek({ weekYear, week, weekday }: WeekDate): number {
  return firstWeekStart(weekYear) + (week - 1) * 7 + weekday - 1;
}
