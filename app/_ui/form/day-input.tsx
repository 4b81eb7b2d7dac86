'use client';
import { useLayoutEffect, useRef } from 'react';
import { Input } from './input.tsx';

/** Before this year a date is one whose year is still being typed: 0002, 0020, 0202, 2026. */
const FIRST_YEAR = 2000;

type DayInputProps = {
  /** Outside a `Field`. */
  name?: string;
  'aria-label'?: string;
  /** `AAAA-MM-JJ`, or empty. */
  value: string;
  onDay: (day: string) => void;
  className?: string;
};

/** A day that filters a page. Given once its year is whole, or when one leaves the field: typing one digit after another asks nothing. */
export function DayInput({ value, onDay, ...rest }: DayInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const given = useRef(value);
  // Left to the browser, which keeps what is half typed; only a day that comes from elsewhere replaces it, at once.
  useLayoutEffect(() => {
    if (value === given.current) return;
    given.current = value;
    if (input.current) input.current.value = value;
  }, [value]);
  const give = (day: string) => {
    if (day === given.current) return;
    given.current = day;
    onDay(day);
  };
  return (
    <Input
      ref={input}
      type="date"
      {...rest}
      defaultValue={value}
      onChange={({ currentTarget: { value: day } }) => {
        if (Number(day.slice(0, 4)) >= FIRST_YEAR) give(day);
      }}
      onBlur={(event) => give(event.currentTarget.value)}
    />
  );
}
