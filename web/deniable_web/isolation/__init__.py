"""Work on what strangers wrote, in processes of its own with limits of time and memory.

A file of a megabyte can keep a parser busy for minutes, and what runs in the
collector's process holds up reports. So each piece of such work is done in a
fork of a process that has loaded the parsers and nothing else.
"""
