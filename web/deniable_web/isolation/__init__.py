"""Runs work on other people's files in separate processes, with limits of time and memory.

A file of a megabyte can keep a parser busy for minutes, and work in the collector's process
delays reports. So each task runs in a fork of a process that has loaded only the parsers.
"""
