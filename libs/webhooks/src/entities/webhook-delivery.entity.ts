import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BIG_NUMBER } from './big-number.js';

/** An attempt to deliver something, or one that somebody asked for and that is still to be made. */
@Entity('webhook_deliveries')
export class WebhookDelivery {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'webhook_id' })
  webhookId!: string;

  /** As it came, one that tries whether the receiver answers, or again because somebody asked. */
  @Column('text')
  kind!: 'event' | 'test' | 'redelivery';

  /** `webhook-id` of the message: the same for each attempt with one event. */
  @Column('text', { name: 'message_id', nullable: true })
  messageId!: string | null;

  /** Global position of the event; null for a test. */
  @Column('bigint', { nullable: true, transformer: BIG_NUMBER })
  position!: number | null;

  @Column('text', { name: 'stream_id', nullable: true })
  streamId!: string | null;

  @Column('bigint', { nullable: true, transformer: BIG_NUMBER })
  version!: number | null;

  @Column('text', { name: 'event_type', nullable: true })
  eventType!: string | null;

  @Column('text')
  outcome!: 'waiting' | 'delivered' | 'failed';

  /** From 1; 0 of one that waits. */
  @Column('integer')
  attempt!: number;

  /** Of the answer; null when there was none. */
  @Column('integer', { nullable: true })
  status!: number | null;

  /** What went wrong, for people. */
  @Column('text', { nullable: true })
  error!: string | null;

  /** Beginning of the answer's body. */
  @Column('text', { nullable: true })
  answer!: string | null;

  @Column('integer', { name: 'duration_ms', nullable: true })
  durationMs!: number | null;

  @Column('timestamptz')
  at!: Date;
}
